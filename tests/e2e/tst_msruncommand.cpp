#include "run/record/runrecord.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/testmain.h"

#include <nlohmann/json.hpp>

#include <memory>

namespace tst_msruncommand
{

using namespace rankdeck;

namespace
{

/// A path that is never there.
constexpr char never[] = "/nonexistent/never";

QString option(const char *name, const QString &value)
{
    return u"--%1=%2"_s.arg(QLatin1String(name), value);
}

} // namespace

/// rankdeckctl msrun as a user runs it, with a script that says what it was given.
class MsrunCommandTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyProcessGetsItsEnvironmentAndLog();
    void onlyTheChosenRanksArePrinted();
    void withoutJoiningItReturnsAtOnce();
    void aFailedWorkerGivesTheExitCode();
    void aWorkerHasTheRankThatMindSporeGivesIt();
    void untilItsRankIsKnownAWorkerIsNamedByItsDevice();
    void aFailedSchedulerIsNamed();
    void workersThatNeverCameAreNamed();
    void aWorkerThatFailsForOneThatIsSilentNamesIt();
    void aSchedulerThatStaysIsEndedAfterTheGrace();
    void aSchedulerOfSeveralNodesIsWaitedFor();
    void aRunKnowsWhereItsPathsAre();
    void aSchedulerIsWaitedForWhileItEnds();
    void theSchedulerIsStoppedByItself();
    void aBusyPortIsToldBeforeAnythingStarts();
    void leftoverVariablesAreShownAndReplaced();
    void earlierLogsAreOverwritten();
    void aLiveRunsLogsAreNot();
    void ranksAreBoundToTheirCpus();
    void aDryRunStartsNoScheduler();
    void logsAreChosenByRankOrScheduler();
    void planStartsNothing();
    void planTellsWhatTheLaunchWouldRefuse_data();
    void planTellsWhatTheLaunchWouldRefuse();
    void aLoopbackMasterFailsThePreflight();
    void theEnvironmentsPythonRunsTheScript();
    void aDryRunIsOneProcess();
    void wrongUseIsOneSentenceAndExitCode2_data();
    void wrongUseIsOneSentenceAndExitCode2();
    void theHelpNamesMsrunsOptions();

private:
    /// msrun with a free port and a log directory, `workers` ranks, all here.
    QStringList msrun(int workers, const QStringList &options, const QStringList &script = {}) const
    {
        return QStringList{u"msrun"_s, option("worker_num", QString::number(workers)),
                           option("local_worker_num", QString::number(workers)),
                           option("master_port", QString::number(freePort())), option("log_dir", logDir())} +
               options + QStringList{sourcePath("tests/e2e/msrunscript.py")} + script;
    }
    /// Two of four workers of a cluster whose scheduler is elsewhere: MindSpore numbers them.
    QStringList unnumbered(const QStringList &script) const
    {
        return QStringList{u"msrun"_s,
                           u"--worker_num=4"_s,
                           u"--local_worker_num=2"_s,
                           u"--master_addr=192.0.2.77"_s,
                           option("log_dir", logDir()),
                           joined(),
                           sourcePath("tests/e2e/msrunscript.py"),
                           option("until", QLatin1String(never))} +
               script;
    }
    static QString joined() { return u"--join=True"_s; }
    /// A file with what the scheduler shall say.
    QString says(const QByteArray &text) const
    {
        QFile file(m_home->path("said"));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            qFatal("the file cannot be written");
        return file.fileName();
    }
    QString logDir() const { return m_home->path("logs"); }
    QByteArray log(const char *name) const { return fileText(logDir() + '/'_L1 + QLatin1String(name)); }
    bool nothingWasStarted() const { return !QDir(logDir()).exists() && RunSummaries().read().isEmpty(); }
    QList<qint64> leftovers() const { return processesOf(m_home->path("state")); }

    std::unique_ptr<TestHome> m_home;
};

void MsrunCommandTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void MsrunCommandTest::everyProcessGetsItsEnvironmentAndLog()
{
    const Outcome outcome = ctl(msrun(2, {joined()}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(QDir(logDir()).entryList(QDir::Files, QDir::Name),
             QStringList({u"scheduler.log"_s, u"worker_0.log"_s, u"worker_1.log"_s}));
    for (const QByteArray &line : {QByteArray("MS_ROLE=MS_SCHED"), QByteArray("MS_WORKER_NUM=2"),
                                   QByteArray("MS_SCHED_HOST=127.0.0.1"), QByteArray("RANK_ID=0")})
        QVERIFY2(log("scheduler.log").contains(line + '\n'), line.constData());
    for (const QByteArray &line :
         {QByteArray("MS_ROLE=MS_WORKER"), QByteArray("MS_NODE_ID=1"), QByteArray("RANK_ID=1"),
          QByteArray("RANK_SIZE=2"), QByteArray("DEVICE_ID=1"), QByteArray("LOCAL_RANK=1"),
          QByteArray("MS_TOPO_TIMEOUT=600")})
        QVERIFY2(log("worker_1.log").contains(line + '\n'), line.constData());
    QVERIFY(outcome.out.contains("proc-rank-1-device-1"));
    QVERIFY(outcome.out.contains("MS_ROLE=MS_WORKER\n"));
    QVERIFY(!outcome.out.contains("MS_SCHED\n"));
    QTRY_VERIFY(leftovers().isEmpty());
}

void MsrunCommandTest::onlyTheChosenRanksArePrinted()
{
    const Outcome outcome = ctl(msrun(3, {joined(), u"--tail_worker_log=0,2"_s}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(outcome.out.contains("RANK_ID=0\n"));
    QVERIFY(!outcome.out.contains("RANK_ID=1\n"));
    QVERIFY(outcome.out.contains("RANK_ID=2\n"));
}

void MsrunCommandTest::withoutJoiningItReturnsAtOnce()
{
    const QString go = m_home->path("go");
    const Outcome outcome = ctl(msrun(2, {}, {option("until", go)}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const QString name = QString::fromUtf8(outcome.out).trimmed();
    QVERIFY(!name.isEmpty() && !name.contains('\n'_L1));
    QTRY_VERIFY(log("worker_1.log").contains("cpus="));
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(ctl({u"wait"_s, name}).code, 0);
}

void MsrunCommandTest::aFailedWorkerGivesTheExitCode()
{
    const Outcome outcome =
        ctl(msrun(3, {joined(), u"--grace=5"_s},
                  {u"--fail-rank=1"_s, u"--code=9"_s, option("until", QLatin1String(never)),
                   option("scheduler-until", QLatin1String(never))}));
    QCOMPARE(outcome.code, 9);
    QVERIFY2(outcome.err.contains("Rank 1 failed first"), outcome.err.constData());
    QVERIFY(outcome.err.contains("told to fail"));
    QTRY_VERIFY(leftovers().isEmpty());
}

void MsrunCommandTest::aWorkerHasTheRankThatMindSporeGivesIt()
{
    const Outcome outcome = ctl(unnumbered({u"--rank-base=7"_s, u"--fail-device=1"_s, u"--code=9"_s}));
    QCOMPARE(outcome.code, 9);
    QVERIFY2(outcome.err.contains("Rank 6 failed first"), outcome.err.constData());
    const auto report = nlohmann::json::parse(ctl({u"report"_s, u"last"_s, u"--json"_s}).out.toStdString());
    QCOMPARE(report["root_rank"].get<int>(), 6);
    const auto &ranks = report["results"]["processes"];
    QCOMPARE(ranks[1]["rank"].get<int>(), 6);
    QCOMPARE(ranks[1]["started_as"].get<int>(), 1);
    QVERIFY(ctl({u"logs"_s, u"last"_s, u"--rank"_s, u"6"_s}).out.contains("told to fail"));
}

void MsrunCommandTest::untilItsRankIsKnownAWorkerIsNamedByItsDevice()
{
    const Outcome outcome = ctl(unnumbered({u"--fail-device=1"_s, u"--code=9"_s}));
    QVERIFY2(outcome.err.contains("The process of device 1 failed first"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("MindSpore has not told all processes their ranks"),
             outcome.err.constData());
}

void MsrunCommandTest::aFailedSchedulerIsNamed()
{
    const Outcome outcome = ctl(msrun(2, {joined(), u"--cluster_time_out=0"_s},
                                      {u"--scheduler-code=7"_s, option("until", QLatin1String(never))}));
    QCOMPARE(outcome.code, 7);
    QVERIFY2(outcome.err.contains("The scheduler failed first"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("of 2 workers were started on this node"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("the cluster had 0 s to form"), outcome.err.constData());
    QTRY_VERIFY(leftovers().isEmpty());
}

void MsrunCommandTest::workersThatNeverCameAreNamed()
{
    const Outcome outcome = ctl(
        msrun(2, {joined(), u"--worker_num=4"_s, u"--node_rank=0"_s, u"--cluster_time_out=0"_s},
              {u"--scheduler-code=1"_s, option("until", QLatin1String(never)),
               option("scheduler-says",
                      says("The new node: 0(role: MS_WORKER), rank id: 0 is registered successfully.\n"
                           "The new node: 2(role: MS_WORKER), rank id: 2 is registered successfully.\n"))}));
    QCOMPARE(outcome.code, 1);
    QVERIFY2(outcome.err.contains(
                 "2 of 4 workers were started on this node; 2 of 4 workers registered with the scheduler; "
                 "not registered, on this node: rank 1; not registered, on other nodes: rank 3"),
             outcome.err.constData());
}

void MsrunCommandTest::aWorkerThatFailsForOneThatIsSilentNamesIt()
{
    const Outcome outcome =
        ctl(msrun(2, {joined(), u"--grace=5"_s},
                  {u"--fail-rank=0"_s, option("until", QLatin1String(never)),
                   option("scheduler-until", QLatin1String(never)),
                   option("scheduler-says", says("[ERROR] The node: 1 is timed out. It may exit.\n"))}));
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("Rank 0 failed first"), outcome.err.constData());
    QVERIFY2(outcome.err.contains("the scheduler lost contact with rank 1"), outcome.err.constData());
}

void MsrunCommandTest::aSchedulerThatStaysIsEndedAfterTheGrace()
{
    const Outcome outcome =
        ctl(msrun(2, {joined(), u"--grace=1"_s}, {option("scheduler-until", QLatin1String(never))}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.err.contains("All workers have ended"), outcome.err.constData());
    QTRY_VERIFY(leftovers().isEmpty());
}

void MsrunCommandTest::aSchedulerOfSeveralNodesIsWaitedFor()
{
    const QString go = m_home->path("go");
    // One worker of two is here; the grace would be over long before.
    const Outcome outcome = ctl(
        msrun(1, {u"--worker_num=2"_s, u"--node_rank=0"_s, u"--grace=0"_s}, {option("scheduler-until", go)}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto saysSo = [] {
        const auto directory = findRun(u"last"_s);
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return state && state->notes.join(' '_L1).contains("The scheduler continues"_L1);
    };
    QTRY_VERIFY_WITH_TIMEOUT(saysSo(), 20000);
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(ctl({u"wait"_s, u"last"_s}).code, 0);
}

void MsrunCommandTest::aRunKnowsWhereItsPathsAre()
{
    QVERIFY(QDir().mkpath(m_home->path("work")));
    const Outcome outcome = ctl({u"msrun"_s, u"--worker_num=1"_s, u"--local_worker_num=1"_s,
                                 u"--sim_level=0"_s, joined(), u"python3"_s, u"-c"_s, u"pass"_s},
                                m_home->path("work"));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(QFile::exists(m_home->path("work/worker_0.log")));
    const auto directory = findRun(u"last"_s);
    QVERIFY(directory);
    const auto record = readRunRecord(*directory);
    QVERIFY(record);
    QCOMPARE(QDir(record->spec.logDir), QDir(m_home->path("work")));
    QCOMPARE(QDir(record->spec.workDir), QDir(m_home->path("work")));
}

void MsrunCommandTest::aSchedulerIsWaitedForWhileItEnds()
{
    const QString go = m_home->path("go");
    QProcess process;
    process.start(
        buildPath("bin/rankdeckctl"),
        msrun(1, {joined(), u"--grace=60"_s}, {option("scheduler-until", go), u"--scheduler-code=4"_s}));
    const auto workerHasEnded = [] {
        const auto directory = findRun(u"last"_s);
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return state && state->ranks.back().status.has_value();
    };
    QTRY_VERIFY_WITH_TIMEOUT(workerHasEnded(), 20000);
    QCOMPARE(process.state(), QProcess::Running);
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    // As msrun has it, a scheduler that fails at the end fails the launch.
    QCOMPARE(outcomeOf(process).code, 4);
}

void MsrunCommandTest::theSchedulerIsStoppedByItself()
{
    const QString go = m_home->path("go");
    QProcess process;
    process.start(
        buildPath("bin/rankdeckctl"),
        msrun(2, {joined()}, {option("until", go), option("scheduler-until", QLatin1String(never))}));
    const auto state = [] {
        const auto directory = findRun(u"last"_s);
        const auto read = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return read ? *read : RunState();
    };
    QTRY_VERIFY_WITH_TIMEOUT(state().count(RankPhase::Running) == 3, 30000);
    const Outcome outcome = ctl({u"stop"_s, u"last"_s, u"--scheduler"_s});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.err.contains("scheduler") && outcome.err.contains("SIGTERM"), outcome.err.constData());
    const RunState run = state();
    QCOMPARE(run.plan->processes[0].role, Role::Scheduler);
    QCOMPARE(run.ranks[0].phase, RankPhase::Stopped);
    QCOMPARE(run.count(RankPhase::Running), 2);
    QVERIFY(run.notes.contains(u"Stop was requested for the scheduler."_s));
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(outcomeOf(process).code, 128 + SIGTERM);
    QCOMPARE(state().phase, RunPhase::Stopped);
    QTRY_VERIFY(leftovers().isEmpty());
}

void MsrunCommandTest::aBusyPortIsToldBeforeAnythingStarts()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const QString port = QString::number(server.serverPort());
    const Outcome outcome = ctl(msrun(2, {option("master_port", port)}));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("port " + port.toUtf8()), outcome.err.constData());
    QVERIFY2(outcome.err.contains("e.g. --master_port="), outcome.err.constData());
    QCOMPARE(linesOf(outcome.err).size(), 1);
    QVERIFY(nothingWasStarted());
}

void MsrunCommandTest::leftoverVariablesAreShownAndReplaced()
{
    for (const QStringList &options : {QStringList{}, QStringList{joined()}}) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"MS_ROLE"_s, u"MS_SERVER"_s);
        environment.insert(u"MS_NODE_ID"_s, u"77"_s);
        environment.insert(u"MS_LEFT"_s, u"x"_s);
        process.setProcessEnvironment(environment);
        process.start(buildPath("bin/rankdeckctl"), msrun(1, options));
        const Outcome outcome = outcomeOf(process);
        QVERIFY2(outcome.code == 0, outcome.err.constData());
        QVERIFY2(outcome.err.contains("Already set in this environment: MS_NODE_ID, MS_ROLE."),
                 outcome.err.constData());
        QVERIFY2(outcome.err.contains("passed on unchanged: MS_LEFT."), outcome.err.constData());
        QCOMPARE(ctl({u"wait"_s, u"last"_s}).code, 0);
        QVERIFY(log("worker_0.log").contains("MS_NODE_ID=0\n"));
        QVERIFY(log("worker_0.log").contains("MS_LEFT=x\n"));
        QVERIFY(!log("scheduler.log").contains("MS_NODE_ID"));
    }
}

void MsrunCommandTest::earlierLogsAreOverwritten()
{
    QVERIFY(QDir().mkpath(logDir()));
    QFile earlier(logDir() + u"/worker_0.log"_s);
    QVERIFY(earlier.open(QIODevice::WriteOnly));
    earlier.write("of an earlier run\n");
    earlier.close();
    // What is refused leaves them alone.
    QCOMPARE(ctl(msrun(1, {option("rank_table_file", QLatin1String(never))})).code, 2);
    QCOMPARE(log("worker_0.log"), QByteArray("of an earlier run\n"));
    const Outcome outcome = ctl(msrun(1, {joined()}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(!log("worker_0.log").contains("earlier"));
    QVERIFY(log("worker_0.log").contains("RANK_ID=0\n"));
    QCOMPARE(QDir(logDir()).entryList(QDir::Files).size(), 2);
}

void MsrunCommandTest::aLiveRunsLogsAreNot()
{
    const Outcome first = ctl(msrun(1, {}, {option("until", QLatin1String(never))}));
    QVERIFY2(first.code == 0, first.err.constData());
    const Outcome second = ctl(msrun(1, {joined()}));
    QCOMPARE(second.code, 2);
    QVERIFY2(second.err.contains(first.out.trimmed()), second.err.constData());
    QCOMPARE(ctl({u"stop"_s, u"last"_s, u"--kill"_s}).code, 0);
}

void MsrunCommandTest::ranksAreBoundToTheirCpus()
{
    QVERIFY(ctl(msrun(1, {joined()})).code == 0);
    QByteArray all;
    for (const QByteArray &line : linesOf(log("worker_0.log"))) {
        if (line.startsWith("cpus="))
            all = line.mid(5);
    }
    const QByteArray first = all.mid(1).split(',').first().split(']').first();
    const QString range = u"%1-%1"_s.arg(QString::fromUtf8(first));
    const Outcome outcome =
        ctl(msrun(1, {joined(), option("bind_core", u"{\"device0\":[\"%1\"]}"_s.arg(range))}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(log("worker_0.log").contains("cpus=[" + first + "]\n"));
    QVERIFY2(log("scheduler.log").contains("cpus=" + all + "\n"), log("scheduler.log").constData());
    QVERIFY(ctl(msrun(1, {joined(), u"--bind_core=True"_s})).code == 0);
    QVERIFY(log("worker_0.log").contains("MSRUN_CPU_LIST=" + all + "\n"));
}

void MsrunCommandTest::aDryRunStartsNoScheduler()
{
    const Outcome outcome = ctl(msrun(64, {joined(), u"--sim_level=1"_s, u"--sim_rank_id=33"_s}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(QDir(logDir()).entryList(QDir::Files), QStringList{u"worker_0.log"_s});
    QVERIFY(log("worker_0.log").contains("RANK_ID=33\n"));
    QVERIFY(log("worker_0.log").contains("MS_SIMULATION_LEVEL=1\n"));
    QVERIFY(!log("worker_0.log").contains("MS_ROLE"));
}

void MsrunCommandTest::logsAreChosenByRankOrScheduler()
{
    QVERIFY(ctl(msrun(2, {joined()})).code == 0);
    const auto logs = [](const QStringList &options) {
        return ctl(QStringList{u"logs"_s, u"last"_s} + options);
    };
    const Outcome rank = logs({u"--rank=0"_s});
    QCOMPARE(rank.code, 0);
    QCOMPARE(rank.out, log("worker_0.log"));
    const Outcome scheduler = logs({u"--scheduler"_s});
    QCOMPARE(scheduler.code, 0);
    QCOMPARE(scheduler.out, log("scheduler.log"));
    QCOMPARE(logs({u"--rank=0"_s, u"--scheduler"_s}).code, 2);
    const Outcome all = logs({});
    QVERIFY(all.out.contains("scheduler (pid: "));
}

void MsrunCommandTest::planStartsNothing()
{
    QStringList arguments = msrun(2, {u"--json"_s});
    const Outcome outcome = ctl(QStringList{u"plan"_s} + arguments);
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    const auto plan = nlohmann::json::parse(outcome.out.toStdString());
    QCOMPARE(plan.at("processes").size(), std::size_t(3));
    QCOMPARE(plan.at("launcher").get<std::string>(), std::string("msrun"));
    arguments.removeAll(u"--json"_s);
    const Outcome readable = ctl(QStringList{u"plan"_s} + arguments);
    QVERIFY(readable.out.contains("scheduler: python3"));
    QVERIFY(readable.out.contains("MS_ROLE=MS_SCHED"));
    QVERIFY(nothingWasStarted());
}

void MsrunCommandTest::planTellsWhatTheLaunchWouldRefuse_data()
{
    QTest::addColumn<QString>("option");
    QTest::newRow("script") << u"/nonexistent/train.py"_s;
    QTest::newRow("rank table") << u"--rank_table_file=/nonexistent/t.json"_s;
}

void MsrunCommandTest::planTellsWhatTheLaunchWouldRefuse()
{
    QFETCH(QString, option);
    const QStringList arguments = msrun(2, {option});
    const Outcome plan = ctl(QStringList{u"plan"_s, arguments.first(), u"--json"_s} + arguments.mid(1));
    QCOMPARE(plan.code, 0); // It may be for another machine.
    QCOMPARE(nlohmann::json::parse(plan.out.toStdString()).at("processes").size(), std::size_t(3));
    const Outcome launch = ctl(arguments);
    QCOMPARE(launch.code, 2);
    const QByteArray sentence = launch.err.mid(launch.err.indexOf(": ") + 2).trimmed();
    QVERIFY2(!sentence.isEmpty() && plan.err.contains("The launch would fail here: " + sentence),
             plan.err.constData());
    verifyOneSentence(launch, option.mid(option.indexOf('/'_L1)).toUtf8());
}

void MsrunCommandTest::aLoopbackMasterFailsThePreflight()
{
    QStringList arguments = msrun(2, {});
    arguments.replaceInStrings(u"--worker_num=2"_s, u"--worker_num=8"_s);
    arguments.insert(1, u"--node_rank=0"_s);
    const Outcome checked = ctl(QStringList{u"preflight"_s} + arguments);
    QCOMPARE(checked.code, 1);
    QVERIFY2(checked.out.contains("127.0.0.1 means the local node everywhere"), checked.out.constData());
    const Outcome plan = ctl(QStringList{u"plan"_s} + arguments);
    QCOMPARE(plan.code, 0);
    QVERIFY2(plan.out.contains("--master_addr: 127.0.0.1 means the local node everywhere"),
             plan.out.constData());
}

void MsrunCommandTest::theEnvironmentsPythonRunsTheScript()
{
    QVERIFY(QDir().mkpath(m_home->path("venv/bin")));
    const auto write = [&](const char *name, const QByteArray &text) {
        QFile file(m_home->path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() ||
            !file.setPermissions(QFile::ReadOwner | QFile::ExeOwner))
            qFatal("%s cannot be written", name);
        return file.fileName();
    };
    write("venv/bin/python", "#!/bin/sh\necho the environment\\'s python\nexec python3 \"$@\"\n");
    const QString script = write("say.py", "print('the script')\n");
    qputenv("VIRTUAL_ENV", m_home->path("venv").toLocal8Bit());
    QStringList arguments = msrun(1, {joined()});
    arguments.last() = script;
    const Outcome outcome = ctl(arguments);
    qunsetenv("VIRTUAL_ENV");
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.out.contains("the environment's python") && outcome.out.contains("the script"),
             outcome.out.constData());
}

void MsrunCommandTest::aDryRunIsOneProcess()
{
    const Outcome outcome = ctl(msrun(4, {joined(), u"--sim_level=1"_s}));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(QDir(logDir()).entryList(QDir::Files), QStringList{u"worker_0.log"_s});
    QVERIFY2(outcome.err.contains("one process, rank 0 of 4"), outcome.err.constData());
}

void MsrunCommandTest::wrongUseIsOneSentenceAndExitCode2_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QByteArray>("named");
    const auto row = [](const char *options, const char *named) {
        QTest::newRow(options) << QString::fromUtf8(options).split(' '_L1) << QByteArray(named);
    };
    row("--local_worker_num=3", "--local_worker_num");
    row("--node_rank=-3", "--node_rank");
    row("--local_worker_num=1 --node_rank=2", "--node_rank");
    row("--master_port=80", "--master_port");
    row("--master_addr=no-such-host.invalid", "--master_addr");
    row("--no_such_option", "--no_such_option");
    row("--join=true", "--join");
    row("--bind_core={}x", "--bind_core");
    row("--rank_table_file=/nonexistent/table.json", "/nonexistent/table.json");
    row("--work-dir=/nonexistent", "/nonexistent");
    row("--log_dir=/proc/nope", "/proc/nope");
    row("/nonexistent/train.py", "/nonexistent/train.py");
    row("python3 /nonexistent/train.py", "/nonexistent/train.py");
}

void MsrunCommandTest::wrongUseIsOneSentenceAndExitCode2()
{
    QFETCH(QStringList, options);
    QFETCH(QByteArray, named);
    const Outcome outcome = ctl(msrun(2, options));
    verifyOneSentence(outcome, named);
    QVERIFY(nothingWasStarted());
}

void MsrunCommandTest::theHelpNamesMsrunsOptions()
{
    const Outcome outcome = ctl({u"msrun"_s, u"--help"_s});
    QCOMPARE(outcome.code, 0);
    for (const char *name : {"--worker_num", "--bind_core", "--join", "--detach", "--env"})
        QVERIFY2(outcome.out.contains(name), name);
    const Outcome missing = ctl({u"msrun"_s});
    QCOMPARE(missing.code, 2);
    QVERIFY(missing.err.contains("script"));
}

} // namespace tst_msruncommand

RANKDECK_TEST(tst_msruncommand, MsrunCommandTest)
#include "tst_msruncommand.moc"

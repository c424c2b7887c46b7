#include "launch/text/commandline.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/remoterun.h"
#include "support/slurmcluster.h"
#include "support/testmain.h"
#include "support/toldevents.h"

#include <algorithm>

namespace tst_remoteruns
{

using namespace rankdeck;

/// Launches for two nodes over a real sshd and a real Slurm, and what becomes of them when something on the
/// way breaks.
class RemoteRunsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void cleanup();
    void everyLauncherStartsTheRanksOfBothNodes_data();
    void everyLauncherStartsTheRanksOfBothNodes();
    void theEnvironmentComesAlongButNotWhoIsLoggedIn();
    void everyNodeRunsTheHooks();
    void aHookThatFailsOnOneNodeStartsNothing();
    void aNodeThatCannotStartLeavesNothingRunning_data();
    void aNodeThatCannotStartLeavesNothingRunning();
    void aDetachedLaunchThatCannotStartFails_data() { aNodeThatCannotStartLeavesNothingRunning_data(); }
    void aDetachedLaunchThatCannotStartFails();
    void anUnreachableNodeFailsMsrun();
    void aFailureEndsTheRanksOfAllNodes();
    void terminalsOfBothNodesAreTypedInto();
    void oneNodeIsStoppedAlone();
    void aNodeIsLost_data();
    void aNodeIsLost();
    void theSupervisorIsKilled();
    void aSilentNodeIsLost();
    void whatFailsAfterANodeFellSilentIsNoFirstFailure();
    void ranksRunInASlurmAllocation();
    void aBatchJobLeavesARunThatIsOpenedLater();

private:
    static constexpr int goneMs = 15000; ///< Where a signal or an end of file arrives.

    static QStringList words(const char *text)
    {
        return QString::fromUtf8(text).split(' '_L1, Qt::SkipEmptyParts);
    }
    static QStringList shell(const char *script) { return {u"sh"_s, u"-c"_s, QString::fromLatin1(script)}; }
    QStringList launch(const char *launcher, const QStringList &command,
                       const char *nodes = "alpha,beta") const;
    /// Starts ranks that stay, each with a grandchild in a session of its own, and waits until all run.
    bool startLongRun();
    /// The process of sshd that carries beta's stream: while it is stopped, neither side hears the other.
    pid_t lineToBeta() const;
    RunState state() const { return RunReader(m_directory).open().value(); }
    bool hasEnded() const { return !isLive(state().phase); }
    /// The agent above a rank.
    static pid_t agentOf(qint64 rank) { return readProcess(static_cast<pid_t>(rank))->parent; }
    QString script(const char *name, const QString &text) const;
    static bool startCluster(SlurmCluster &cluster);
    /// Two ranks on each node of the allocation that say where they are.
    QStringList slurmLaunch() const;

    std::unique_ptr<RemoteRun> m_remote;
    QString m_directory;
};

void RemoteRunsTest::init()
{
    if (!SshServer::isInstalled())
        QSKIP("no OpenSSH server on this machine");
    m_remote = std::make_unique<RemoteRun>();
    QVERIFY(m_remote->startSsh());
}

void RemoteRunsTest::cleanup()
{
    m_remote.reset();
}

QStringList RemoteRunsTest::launch(const char *launcher, const QStringList &command, const char *nodes) const
{
    QStringList arguments{QString::fromLatin1(launcher)};
    arguments << m_remote->nodeOptions(nodes) << u"--work-dir"_s << QFileInfo(m_remote->program()).path()
              << u"--grace"_s << u"2"_s;
    return arguments + command;
}

bool RemoteRunsTest::startLongRun()
{
    const Outcome outcome =
        ctl(launch("processes", QStringList{u"--nproc"_s, u"2"_s, u"--detach"_s, u"--node-timeout"_s, u"8"_s,
                                            u"--master-port"_s, QString::number(freePort())} +
                                    shell("(setsid sleep 1000 &); echo up; exec sleep 1000")));
    m_directory = runsDirectory() + '/'_L1 + QString::fromUtf8(outcome.out.trimmed());
    return QTest::qWaitFor(
        [this] {
            const RunState now = state();
            return now.count(RankPhase::Running) == 4 &&
                   std::all_of(now.plan->processes.begin(), now.plan->processes.end(),
                               [](const ProcessPlan &rank) { return fileText(rank.logFile) == "up\n"; });
        },
        programLimitMs);
}

QString RemoteRunsTest::script(const char *name, const QString &text) const
{
    const QString path = m_remote->home().path(name);
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(text.toUtf8());
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    return path;
}

void RemoteRunsTest::everyLauncherStartsTheRanksOfBothNodes_data()
{
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QStringList>("lines");
    QTest::newRow("davincirun") << words("davincirun --rank-table table.json")
                                << "$RANK_ID $DEVICE_ID $RANK_START $MA_CURRENT_HOST_IP"
                                << QStringList{u"0 0 0 s1"_s, u"1 1 0 s1"_s, u"2 2 0 s1"_s, u"3 3 0 s1"_s,
                                               u"4 0 4 s2"_s, u"5 1 4 s2"_s, u"6 2 4 s2"_s, u"7 3 4 s2"_s};
    QStringList workers;
    for (int rank = 0; rank < 8; ++rank)
        workers << u"%1 %2 %3 MS_WORKER {"_s.arg(rank).arg(rank % 4).arg(rank / 4);
    QTest::newRow("msrun") << words("msrun --worker_num 8 --local_worker_num 4 --join True --log_dir ms "
                                    "--rank_table_file table.json")
                           << "$RANK_ID $DEVICE_ID $MS_NODE_RANK $MS_ROLE $(head -c 1 $RANK_TABLE_FILE)"
                           << workers;
    QStringList ranks;
    for (int rank = 0; rank < 8; ++rank)
        ranks << u"%1 %2 %3 8"_s.arg(rank).arg(rank % 4).arg(rank / 4);
    QTest::newRow("processes") << words("processes --nproc 4") << "$RANK $LOCAL_RANK $GROUP_RANK $WORLD_SIZE"
                               << ranks;
}

void RemoteRunsTest::everyLauncherStartsTheRanksOfBothNodes()
{
    QFETCH(QStringList, options);
    QFETCH(QString, shown);
    QFETCH(QStringList, lines);
    QString devices = uR"({"device_id":"%1","device_ip":"1.2.3.%2","rank_id":"%2"})"_s;
    QString servers;
    for (int server = 0; server < 2; ++server) {
        QStringList list;
        for (int device = 0; device < 4; ++device)
            list << devices.arg(device).arg(4 * server + device);
        servers += uR"(%1{"server_id":"s%2","device":[%3]})"_s.arg(server ? u","_s : QString())
                       .arg(server + 1)
                       .arg(list.join(','_L1));
    }
    script("table.json",
           uR"({"version":"1.0","server_count":"2","server_list":[%1],"status":"completed"})"_s.arg(servers));
    // msrun starts Python: a stand-in for it is first in PATH, here and so on the nodes.
    script("python3", u"#!/bin/sh\necho \"%1\"\n"_s.arg(shown));
    const QString folder = QFileInfo(m_remote->program()).path();
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", folder.toLocal8Bit() + ':' + path);
    script("train.py", {});
    QStringList arguments{options.first()};
    arguments << m_remote->nodeOptions() << options.mid(1);
    arguments << (options.contains(u"--worker_num"_s)
                      ? QStringList{u"--master_port"_s, QString::number(freePort())}
                      : QStringList());
    if (options.first() == "processes"_L1)
        arguments << u"--master-port"_s << QString::number(freePort());
    arguments << u"--quiet"_s << u"python3"_s << u"train.py"_s;
    const Outcome outcome = ctl(arguments, folder);
    qputenv("PATH", path);
    QVERIFY2(outcome.code == 0, outcome.err);

    m_directory = *findRun(u"last"_s);
    const RunState run = state();
    QStringList written;
    for (const ProcessPlan &process : run.plan->processes) {
        if (process.role == Role::Worker)
            written << QString::fromUtf8(fileText(process.logFile)).trimmed();
    }
    QCOMPARE(written, lines);
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

void RemoteRunsTest::theEnvironmentComesAlongButNotWhoIsLoggedIn()
{
    qputenv("OF_THE_LAUNCH", "it's \"here\"\n$HOME");
    qputenv("SSH_TTY", "/dev/of-the-launch");
    // The file of variables is this machine's, where the command is typed.
    script("variables.env", u"OF_A_FILE=read here\n"_s);
    const Outcome outcome = ctl(
        launch("processes", QStringList{u"--master-port"_s, QString::number(freePort()), u"--env-file"_s,
                                        u"variables.env"_s} +
                                shell("printf '%s|%s|%s\\n' \"$OF_THE_LAUNCH\" \"$SSH_TTY\" \"$OF_A_FILE\"")),
        QFileInfo(m_remote->program()).path());
    qunsetenv("OF_THE_LAUNCH");
    qunsetenv("SSH_TTY");
    QVERIFY2(outcome.code == 0, outcome.err);
    QCOMPARE(outcome.out.count("it's \"here\"\n"), 2);
    QCOMPARE(outcome.out.count("$HOME||read here\n"), 2);
    // What may be a secret is on no command line and in no file of the run.
    QVERIFY(!fileText(*findRun(u"last"_s) + u"/run.json"_s).contains("it's"));
}

void RemoteRunsTest::everyNodeRunsTheHooks()
{
    const Outcome outcome = ctl(
        launch("processes", QStringList{u"--nproc"_s, u"2"_s, u"--before"_s,
                                        u"sh -c 'echo $GROUP_RANK; touch before.$GROUP_RANK'"_s, u"--after"_s,
                                        u"sh -c 'mv before.$GROUP_RANK after.$GROUP_RANK'"_s,
                                        u"--master-port"_s, QString::number(freePort())} +
                                shell("test -e before.$GROUP_RANK")));
    QVERIFY2(outcome.code == 0, outcome.err);
    QVERIFY(QFile::exists(m_remote->home().path("after.0")) &&
            QFile::exists(m_remote->home().path("after.1")));
    const QString logs = *findRun(u"last"_s) + u"/logs/node%1/before.log"_s;
    QVERIFY(fileText(logs.arg(0)).endsWith("\n0\n"));
    QVERIFY(fileText(logs.arg(1)).endsWith("\n1\n"));
}

void RemoteRunsTest::aHookThatFailsOnOneNodeStartsNothing()
{
    const Outcome outcome = ctl(
        launch("processes", QStringList{u"--before"_s, u"sh -c 'echo no data; exit $((GROUP_RANK * 3))'"_s,
                                        u"--master-port"_s, QString::number(freePort())} +
                                shell("[ $GROUP_RANK = 1 ] && touch started; exec sleep 1000")));
    QCOMPARE(outcome.code, 3);
    QVERIFY2(outcome.err.contains("no data"), outcome.err); // From the log of beta.
    QVERIFY(!QFile::exists(m_remote->home().path("started")));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

void RemoteRunsTest::aNodeThatCannotStartLeavesNothingRunning_data()
{
    QTest::addColumn<QString>("nodes");
    QTest::addColumn<QStringList>("options");
    QTest::addColumn<QString>("words");
    QTest::newRow("unreachable") << "alpha,nowhere" << QStringList() << "nowhere cannot start its processes";
    QTest::newRow("no such directory") << "alpha,beta" << words("--work-dir /no/such/directory")
                                       << "/no/such/directory: the working directory";
    QTest::newRow("no such script") << "alpha,beta" << words("--name other python3 not-there.py")
                                    << "/not-there.py: the script does not exist";
    QTest::newRow("no Rankdeck there") << "alpha,beta" << words("--node-program /no/rankdeckctl")
                                       << "name its rankdeckctl with --node-program";
}

void RemoteRunsTest::aNodeThatCannotStartLeavesNothingRunning()
{
    QFETCH(QString, nodes);
    QFETCH(QStringList, options);
    QFETCH(QString, words);
    const Outcome outcome = ctl(launch("processes", options + shell("touch started"), qPrintable(nodes)));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(words.toUtf8()), outcome.err);
    QVERIFY2(!outcome.err.contains("Known error"), outcome.err); // The sentence says all there is.
    QVERIFY(!QFile::exists(m_remote->home().path("started")));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

void RemoteRunsTest::aDetachedLaunchThatCannotStartFails()
{
    QFETCH(QString, nodes);
    QFETCH(QStringList, options);
    QFETCH(QString, words);
    const QStringList detached = QStringList{u"--detach"_s} + options + shell("touch started");
    const Outcome outcome = ctl(launch("processes", detached, qPrintable(nodes)));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains(words.toUtf8()), outcome.err);
    const QString name = QString::fromUtf8(outcome.out.trimmed());
    QCOMPARE(ctl({u"wait"_s, name}).code, 2);
    QVERIFY(!QFile::exists(m_remote->home().path("started")));
}

void RemoteRunsTest::anUnreachableNodeFailsMsrun()
{
    const QString train = script("train.py", QString());
    const Outcome outcome =
        ctl(launch("msrun", {u"--worker_num=2"_s, u"--local_worker_num=1"_s, train}, "alpha,nowhere"));
    QCOMPARE(outcome.code, 2);
    QVERIFY2(outcome.err.contains("nowhere cannot start its processes"), outcome.err);
}

void RemoteRunsTest::aFailureEndsTheRanksOfAllNodes()
{
    const Outcome outcome = ctl(launch(
        "processes", QStringList{u"--nproc"_s, u"2"_s, u"--master-port"_s, QString::number(freePort())} +
                         shell("(setsid sleep 1000 &); [ $RANK = 3 ] && exit 7; exec sleep 1000")));
    QCOMPARE(outcome.code, 7);
    QVERIFY2(outcome.err.contains("Rank 3 failed first: exit code 7\non beta, pid "), outcome.err);
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

void RemoteRunsTest::terminalsOfBothNodesAreTypedInto()
{
    const QString train = script("train.py", u"import os\n"
                                             "node = os.environ['GROUP_RANK']\n"
                                             "breakpoint()\n"
                                             "print('node', node, 'goes on')\n"_s);
    const Outcome launched = ctl(
        launch("processes", {u"--nproc"_s, u"2"_s, u"--detach"_s, u"--tty"_s, u"all"_s, u"--master-port"_s,
                             QString::number(freePort()), u"--"_s, u"python3"_s, train}));
    QVERIFY2(launched.code == 0, launched.err.constData());
    m_directory = runsDirectory() + '/'_L1 + QString::fromUtf8(launched.out.trimmed());
    const auto areAllAtTheirPrompt = [this] {
        const RunState now = state();
        return std::all_of(now.ranks.begin(), now.ranks.end(), [](const RankState &rank) {
            return rank.prompt && rank.prompt->place() == "train.py:4"_L1;
        });
    };
    QTRY_VERIFY_WITH_TIMEOUT(areAllAtTheirPrompt(), programLimitMs);
    QProcess console;
    console.start(buildPath("bin/rankdeckctl"),
                  {u"attach"_s, m_directory, u"--rank"_s, u"all"_s, u"--fold"_s});
    console.write("p node\ncontinue\n");
    const Outcome outcome = outcomeOf(console);
    QVERIFY2(outcome.out.startsWith("ranks 0-1: '0'\nranks 2-3: '1'\n"), outcome.out.constData());
    QVERIFY2(outcome.out.contains("ranks 2-3: node 1 goes on\n"), outcome.out.constData());
    QCOMPARE(outcome.code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), programLimitMs);
    QCOMPARE(state().phase, RunPhase::Succeeded);
}

void RemoteRunsTest::oneNodeIsStoppedAlone()
{
    QVERIFY(startLongRun());
    const QString run = QFileInfo(m_directory).fileName();
    QCOMPARE(ctl({u"stop"_s, u"--node"_s, u"beta"_s, run}).code, 0);
    QTRY_COMPARE_WITH_TIMEOUT(state().count(RankPhase::Stopped), 2, programLimitMs);
    QCOMPARE(state().ranks.front().phase, RankPhase::Running);
    QCOMPARE(ctl({u"stop"_s, run}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

void RemoteRunsTest::aNodeIsLost_data()
{
    QTest::addColumn<int>("agents");
    QTest::newRow("its agent is killed") << 1;
    QTest::newRow("its agent and the agent's guardian are killed") << 2;
}

void RemoteRunsTest::aNodeIsLost()
{
    QFETCH(int, agents);
    QVERIFY(startLongRun());
    const pid_t agent = agentOf(state().ranks.back().pid);
    const QList<pid_t> above{readProcess(agent)->parent, agent};
    for (const pid_t victim : above.last(agents))
        QVERIFY(::kill(victim, SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), goneMs);
    const RunState ended = state();
    QCOMPARE(ended.phase, RunPhase::Failed);
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->node, u"beta"_s);
    QVERIFY2(ended.failure->reason.text().startsWith("Lost node beta since "_L1),
             qPrintable(ended.failure->reason));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

void RemoteRunsTest::theSupervisorIsKilled()
{
    QVERIFY(startLongRun());
    QVERIFY(::kill(static_cast<pid_t>(readRunRecord(m_directory)->supervisor->pid), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
    QCOMPARE(state().phase, RunPhase::Lost);
}

pid_t RemoteRunsTest::lineToBeta() const
{
    auto process = readProcess(static_cast<pid_t>(state().ranks.back().pid));
    while (process && process->name != "sshd"_L1)
        process = readProcess(process->parent);
    return process ? process->pid : 0;
}

void RemoteRunsTest::aSilentNodeIsLost()
{
    QVERIFY(startLongRun());
    const pid_t line = lineToBeta();
    QVERIFY(line != 0);
    QVERIFY(::kill(line, SIGSTOP) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), programLimitMs);
    const RunState ended = state();
    QCOMPARE(ended.failure->node, u"beta"_s);
    QVERIFY2(ended.failure->reason.text().startsWith("Lost node beta since "_L1) &&
                 ended.failure->reason.text().endsWith("no answer for 8 s."_L1),
             qPrintable(ended.failure->reason));
    QCOMPARE(ended.ranks.back().phase, RankPhase::Unknown);
    // There, nobody has heard that the run is over.
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
    ::kill(line, SIGCONT);
}

void RemoteRunsTest::whatFailsAfterANodeFellSilentIsNoFirstFailure()
{
    QVERIFY(startLongRun());
    const pid_t line = lineToBeta();
    QVERIFY(line != 0);
    // A heartbeat may have been on its way: what it tells of is earlier than the failure.
    QVERIFY(::kill(line, SIGSTOP) == 0);
    QVERIFY(::kill(static_cast<pid_t>(state().ranks.front().pid), SIGKILL) == 0);
    QTRY_VERIFY_WITH_TIMEOUT(hasEnded(), programLimitMs);
    const RunState ended = state();
    QVERIFY2(ended.failure->reason.text().startsWith("Lost node beta since "_L1),
             qPrintable(ended.failure->reason));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), programLimitMs);
    ::kill(line, SIGCONT);
}

bool RemoteRunsTest::startCluster(SlurmCluster &cluster)
{
    const QByteArray mark = qgetenv("REMOTE_RUN_MARK");
    qunsetenv("REMOTE_RUN_MARK"); // The cluster is none of the run's processes.
    const bool isUp = cluster.start();
    qputenv("REMOTE_RUN_MARK", mark);
    return isUp;
}

QStringList RemoteRunsTest::slurmLaunch() const
{
    return QStringList{buildPath("bin/rankdeckctl"), u"processes"_s,      u"--slurm"_s,
                       u"--node-program"_s,          m_remote->program(), u"--master-port"_s,
                       QString::number(freePort()),  u"--nproc"_s,        u"2"_s} +
           shell("echo $RANK of $WORLD_SIZE on $SLURMD_NODENAME");
}

void RemoteRunsTest::ranksRunInASlurmAllocation()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    SlurmCluster cluster(m_remote->home().path("slurm"));
    QVERIFY(startCluster(cluster));
    QProcess process;
    process.start(u"salloc"_s, QStringList{u"--quiet"_s, u"--nodes=2"_s} + slurmLaunch());
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.code == 0, outcome.err);
    QList<QByteArray> lines = linesOf(outcome.out);
    std::sort(lines.begin(), lines.end(), [](const QByteArray &left, const QByteArray &right) {
        return left.mid(left.indexOf(':')) < right.mid(right.indexOf(':'));
    });
    QCOMPARE(lines.size(), 4);
    QCOMPARE(lines.first(), QByteArray("[default0]:0 of 4 on node1"));
    QCOMPARE(lines.last(), QByteArray("[default1]:3 of 4 on node2"));
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

void RemoteRunsTest::aBatchJobLeavesARunThatIsOpenedLater()
{
    if (!SlurmCluster::canRun())
        QSKIP("no Slurm on this machine, or not root");
    SlurmCluster cluster(m_remote->home().path("slurm"));
    QVERIFY(startCluster(cluster));
    QProcess process;
    process.start(u"sbatch"_s,
                  {u"--wait"_s, u"--nodes=2"_s, u"--output="_s + m_remote->home().path("batch.txt"),
                   u"--wrap"_s, joinCommandLine(slurmLaunch())});
    const Outcome outcome = outcomeOf(process);
    QVERIFY2(outcome.code == 0, outcome.err + fileText(m_remote->home().path("batch.txt")));
    const RunState run = RunReader(findRun(u"last"_s).value()).open().value();
    QCOMPARE(run.phase, RunPhase::Succeeded);
    QCOMPARE(run.count(RankPhase::Exited), 4);
    QCOMPARE(fileText(run.plan->processes.back().logFile), "3 of 4 on node2\n");
    QTRY_VERIFY_WITH_TIMEOUT(m_remote->alive().isEmpty(), goneMs);
}

} // namespace tst_remoteruns

RANKDECK_TEST(tst_remoteruns, RemoteRunsTest)
#include "tst_remoteruns.moc"

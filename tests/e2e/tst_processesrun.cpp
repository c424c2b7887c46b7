#include "base/json.h"
#include "launch/host/portlocks.h"
#include "run/record/rundirectory.h"
#include "run/record/runstate.h"
#include "support/freeport.h"
#include "support/programs.h"
#include "support/saidsentences.h"
#include "support/testmain.h"
#include "support/toldevents.h"

#include <algorithm>
#include <csignal>
#include <memory>

namespace tst_processesrun
{

using namespace rankdeck;

/// rankdeckctl processes as a user runs it, with real processes.
class ProcessesRunTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void everyRankGetsItsPlaceInTheWorld();
    void bothStreamsAreKeptApart();
    void teeAndRedirectsChooseWhatIsPrinted();
    void whatIsNotRedirectedIsKeptInTheRunDirectory();
    void logsShowBothStreamsOrOne();
    void aSpecFileGivesEachRankItsOwnArguments();
    void theEarliestErrorFileIsTheRootCause();
    void whatIsWrittenWhileTornDownChangesNothing();
    void aRankWithoutAFileIsNamedWithItsSignal();
    void aRankThatOthersWaitedForHungAndDidNotFail();
    void aStackToolThatHangsHoldsNothingBack();
    void stacksAreTakenBeforeARestartToo();
    void aPipeInPlaceOfTheErrorFileHoldsNobodyUp();
    void aDetachedRunIsFoundAgain();
    void anInterruptStopsTheRun();
    void aFailureRestartsAllRanks();
    void theFirstAttemptsFailureIsTheVerdict();
    void theRootCauseOfEachAttemptIsTold();
    void hooksRunAroundEveryAttempt();
    void whatCannotBeStartedIsNotRestarted();
    void aStopEndsTheRestarts();
    void aLostAgentEndsTheRestarts();
    void strayProcessesOfAnAttemptAreGoneBeforeTheNext();
    void planStartsNothing();
    void wrongUseIsOneSentenceAndExitCode2_data();
    void wrongUseIsOneSentenceAndExitCode2();
    void aBusyLogDirectoryIsLeftAlone();
    void aBusyPortIsToldBeforeAnythingStarts_data();
    void aBusyPortIsToldBeforeAnythingStarts();
    void aBusyPortMattersOnlyWhereRank0Is();
    void runsAtTheSameTimeMeetAtPortsOfTheirOwn();
    void helpListsTheOptions();

private:
    static QStringList shell(const char *script)
    {
        return {u"--"_s, u"sh"_s, u"-c"_s, QString::fromUtf8(script)};
    }
    static QStringList launch(const QString &options, const QStringList &command)
    {
        QStringList arguments{u"processes"_s};
        if (!options.contains("--master-port"_L1) && !options.endsWith(".json"_L1))
            arguments << u"--master-port=%1"_s.arg(freePort());
        return arguments + options.split(' '_L1, Qt::SkipEmptyParts) + command;
    }
    /// A Python program that fails as @record makes it: with an error.json of that time.
    QStringList recorder(const QByteArray &body) const
    {
        QFile script(m_home->path("train.py"));
        const QByteArray head = "import json, os, sys, time, signal\n"
                                "rank = int(os.environ['RANK'])\n"
                                "here = os.path.dirname(__file__)\n"
                                "def ready():\n"
                                "    open(os.path.join(here, 'ready' + str(rank)), 'w').close()\n"
                                "def wait(other):\n"
                                "    while not os.path.exists(os.path.join(here, 'ready' + other)):\n"
                                "        time.sleep(0.01)\n"
                                "def fail(when, code=1):\n"
                                "    text = {'message': 'RuntimeError: rank %d' % rank, 'extraInfo': {\n"
                                "        'py_callstack': 'Traceback of rank %d\\n  line' % rank,\n"
                                "        'timestamp': str(when)}}\n"
                                "    path = os.environ['TORCHELASTIC_ERROR_FILE']\n"
                                "    with open(path + '.new', 'w') as file:\n"
                                "        json.dump({'message': text}, file)\n"
                                "    os.rename(path + '.new', path)\n"
                                "    sys.exit(code)\n";
        if (!script.open(QIODevice::WriteOnly) || script.write(head + body) < 0)
            qFatal("the script cannot be written");
        return {u"--"_s, u"python3"_s, script.fileName()};
    }
    static RunState lastRun()
    {
        const auto directory = findRun(u"last"_s);
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return state ? *state : RunState();
    }
    QList<qint64> leftovers() const { return processesOf(m_home->path("state")); }
    static QList<QByteArray> sortedLines(const QByteArray &text)
    {
        QList<QByteArray> lines = linesOf(text);
        std::sort(lines.begin(), lines.end());
        return lines;
    }

    std::unique_ptr<TestHome> m_home;
};

void ProcessesRunTest::init()
{
    m_home = std::make_unique<TestHome>();
}

void ProcessesRunTest::everyRankGetsItsPlaceInTheWorld()
{
    const Outcome outcome = ctl(launch(u"--nproc 2 --nnodes 2 --node-rank 1 --name w"_s,
                                       shell("echo $RANK $LOCAL_RANK $WORLD_SIZE $GROUP_RANK")));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(sortedLines(outcome.out), (QList<QByteArray>{"[w0]:2 0 4 1", "[w1]:3 1 4 1"}));
    const RunState run = lastRun();
    QCOMPARE(run.phase, RunPhase::Succeeded);
    QCOMPARE(run.plan->worldSize(), 4);
    QTRY_VERIFY(leftovers().isEmpty());
}

void ProcessesRunTest::bothStreamsAreKeptApart()
{
    const QString logDir = m_home->path("out");
    const Outcome outcome =
        ctl(launch(u"--nproc 2 --log-dir %1"_s.arg(logDir),
                   shell("echo out $LOCAL_RANK; echo err $LOCAL_RANK >&2; echo out again")));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(fileText(logDir + u"/1/stdout.log"_s), QByteArray("out 1\nout again\n"));
    QCOMPARE(fileText(logDir + u"/1/stderr.log"_s), QByteArray("err 1\n"));
    QVERIFY(!QFile::exists(logDir + u"/1/error.json"_s));
    QCOMPARE(sortedLines(outcome.out).size(), 4);
    for (const char *line : {"[default0]:err 0\n", "[default1]:err 1\n"})
        QVERIFY2(outcome.err.contains(line), outcome.err.constData());
}

void ProcessesRunTest::teeAndRedirectsChooseWhatIsPrinted()
{
    const QStringList command = shell("echo out; echo err >&2");
    // What ranks write to standard error goes there, among the words of rankdeckctl.
    const auto printed = [&](const char *options) {
        const Outcome outcome = ctl(launch(QString::fromLatin1(options), command));
        QList<QByteArray> lines = sortedLines(outcome.out);
        for (const QByteArray &line : linesOf(outcome.err)) {
            if (line.startsWith("[default"))
                lines << "stderr: " + line;
        }
        return lines;
    };
    QCOMPARE(printed("--redirects 3"), QList<QByteArray>());
    QCOMPARE(printed("--redirects OUT"), (QList<QByteArray>{"stderr: [default0]:err"}));
    QCOMPARE(printed("--redirects 3 --tee 1"), (QList<QByteArray>{"[default0]:out"}));
    QCOMPARE(printed("--tee 2"), (QList<QByteArray>{"[default0]:out", "stderr: [default0]:err"}));
    QCOMPARE(printed("--nproc 2 --redirects 0:3,1:2"), (QList<QByteArray>{"[default1]:out"}));
    QCOMPARE(printed("--quiet"), QList<QByteArray>());
}

void ProcessesRunTest::whatIsNotRedirectedIsKeptInTheRunDirectory()
{
    const QString logDir = m_home->path("out");
    const Outcome outcome =
        ctl(launch(u"--redirects 2 --log-dir %1"_s.arg(logDir), shell("echo out; echo err >&2")));
    QCOMPARE(outcome.code, 0);
    QCOMPARE(fileText(logDir + u"/0/stderr.log"_s), QByteArray("err\n"));
    QCOMPARE(fileText(lastRun().directory + u"/logs/rank-0.log"_s), QByteArray("out\n"));
}

void ProcessesRunTest::logsShowBothStreamsOrOne()
{
    QCOMPARE(ctl(launch(u"--nproc 2 --redirects 3"_s, shell("echo err >&2; echo out"))).code, 0);
    const QStringList logs{u"logs"_s, u"last"_s};
    const QStringList one{u"--rank"_s, u"1"_s};
    const QString onlyError = u"--stderr"_s;
    QCOMPARE(ctl(logs + one).out, QByteArray("out\nerr\n"));
    QCOMPARE(ctl(logs + one + QStringList{onlyError}).out, QByteArray("err\n"));
    QCOMPARE(ctl(logs + QStringList{onlyError}).out, QByteArray("[default0]:err\n[default1]:err\n"));
    QCOMPARE(ctl({u"attach"_s, u"last"_s}).code, 0);
}

void ProcessesRunTest::aSpecFileGivesEachRankItsOwnArguments()
{
    QFile spec(m_home->path("spec.json"));
    QVERIFY(spec.open(QIODevice::WriteOnly));
    spec.write(QByteArray(R"({"command": ["sh", "-c", "echo $0 $1 $COLOUR"], "name": "s",
                   "processes": {"master_port": PORT, "args": {"0": ["a", "b c"], "1": ["d"]},
                                 "envs": {"0": {"COLOUR": "red"}, "1": {"COLOUR": "blue"}}}})")
                   .replace("PORT", QByteArray::number(freePort())));
    spec.close();
    const Outcome outcome = ctl({u"processes"_s, spec.fileName()});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(sortedLines(outcome.out), (QList<QByteArray>{"[s0]:a b c red", "[s1]:d blue"}));
}

/// The ranks end in the order 2, 1; their files say 1, 2.
void ProcessesRunTest::theEarliestErrorFileIsTheRootCause()
{
    const Outcome outcome = ctl(launch(
        u"--nproc 3 --grace 20"_s, recorder("signal.signal(signal.SIGTERM, lambda *_: fail(2000, 11))\n"
                                            "if rank == 2: wait('1'), fail(3000, 12)\n"
                                            "if rank == 0: signal.signal(signal.SIGTERM, signal.SIG_DFL)\n"
                                            "ready()\n"
                                            "time.sleep(60)\n")));
    QVERIFY2(outcome.code == 11, outcome.err.constData());
    QVERIFY2(outcome.err.contains("Rank 1 failed before rank 2, by the time in its error.json."),
             outcome.err.constData());
    QVERIFY(outcome.err.contains("Rank 1 failed first: RuntimeError: rank 1"));
    QVERIFY(outcome.err.contains("\nexit code 11\n"));
    QVERIFY(outcome.err.contains("\n  Traceback of rank 1\n    line\n"));
    const RunState run = lastRun();
    QVERIFY(run.failure);
    QCOMPARE(run.failure->rank, Rank(1));
    QCOMPARE(run.exitCode, 11);
    QTRY_VERIFY(leftovers().isEmpty());
}

void ProcessesRunTest::whatIsWrittenWhileTornDownChangesNothing()
{
    const Outcome outcome = ctl(launch(
        u"--nproc 2 --grace 20"_s, recorder("signal.signal(signal.SIGTERM, lambda *_: fail(time.time()))\n"
                                            "if rank == 0: wait('1'), fail(time.time(), 5)\n"
                                            "ready()\n"
                                            "time.sleep(60)\n")));
    QVERIFY2(outcome.code == 5, outcome.err.constData());
    QVERIFY(!outcome.err.contains("failed before"));
    QVERIFY(outcome.err.contains("RuntimeError: rank 0"));
}

void ProcessesRunTest::aRankWithoutAFileIsNamedWithItsSignal()
{
    const Outcome outcome =
        ctl(launch(u"--nproc 2"_s, shell("[ $RANK = 0 ] && exec sleep 60; echo boom >&2; kill -9 $$")));
    QCOMPARE(outcome.code, 128 + SIGKILL);
    QVERIFY2(outcome.err.contains("Rank 1 failed first: ended by signal 9 (SIGKILL)"),
             outcome.err.constData());
    QVERIFY(lastRun().failure->logFile.endsWith("/1/stderr.log"_L1));
    QCOMPARE(lastRun().failure->logTail, QStringList{u"boom"_s});
}

/// Its end would be after 30 s, that of the ranks after 1,000.
void ProcessesRunTest::aStackToolThatHangsHoldsNothingBack()
{
    const QString tools = m_home->path("tools");
    QVERIFY(QDir().mkpath(tools));
    QFile tool(tools + u"/eu-stack"_s);
    QVERIFY(tool.open(QIODevice::WriteOnly));
    tool.write("#!/bin/sh\nexec sleep 1000\n");
    tool.close();
    QVERIFY(tool.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    for (const char *other : {"py-spy", "gdb"})
        QVERIFY(QFile::link(tool.fileName(), tools + '/'_L1 + QLatin1String(other)));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", tools.toLocal8Bit() + ':' + path);
    QElapsedTimer passed;
    passed.start();
    const Outcome run = ctl(
        launch(u"--nproc 2"_s, shell("[ $RANK = 0 ] && exec sleep 1000\n"
                                     "echo 'RuntimeError: EI0002 notify wait timeout, remote rank 0' >&2\n"
                                     "exit 1\n")));
    qputenv("PATH", path);
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("Stacks of rank 0 requested."), run.err.constData());
    QVERIFY2(run.err.contains("Rank 0 hung"), run.err.constData());
    QVERIFY2(passed.elapsed() < 25'000, qPrintable(QString::number(passed.elapsed())));
    QTRY_VERIFY(leftovers().isEmpty());
}

void ProcessesRunTest::stacksAreTakenBeforeARestartToo()
{
    const Outcome run =
        ctl(launch(u"--nproc 2 --max-restarts 1"_s,
                   shell("[ $TORCHELASTIC_RESTART_COUNT = 1 ] && exit 0\n"
                         "[ $RANK = 0 ] && exec sleep 1000\n"
                         "echo 'RuntimeError: EI0002 notify wait timeout, remote rank 0' >&2\n"
                         "exit 1\n")));
    QVERIFY2(run.code == 0, run.err.constData());
    const qsizetype asked = run.err.indexOf("Stacks of rank 0 requested.");
    const qsizetype ended = run.err.indexOf("all processes are ended and started again.");
    QVERIFY2(asked >= 0 && asked < ended, run.err.constData());
    QVERIFY(run.err.contains("Restart 1 of 1. Rank 1 failed: exit code 1."));
    QTRY_VERIFY(leftovers().isEmpty());
}

void ProcessesRunTest::aRankThatOthersWaitedForHungAndDidNotFail()
{
    // Rank 2 never comes; rank 1 gives up, and Rankdeck ends the others. That signal is nobody's fault.
    const Outcome run = ctl(
        launch(u"--nproc 4"_s,
               shell("echo ready > $RANK.ready\n"
                     "if [ $RANK = 1 ]; then\n"
                     "  while [ ! -e 0.ready ] || [ ! -e 2.ready ] || [ ! -e 3.ready ]; do sleep 0.02; done\n"
                     "  echo 'Traceback (most recent call last):' >&2\n"
                     "  echo '  File \"train.py\", line 7, in step' >&2\n"
                     "  echo 'RuntimeError: HCCL allreduce failed: EI0002 notify wait timeout, remote rank "
                     "2' >&2\n"
                     "  exit 1\n"
                     "fi\n"
                     "exec sleep 1000\n")),
        m_home->path(""));
    QCOMPARE(run.code, 1);
    const Outcome told = ctl({u"report"_s, u"last"_s, u"--json"_s});
    const auto verdict = nlohmann::json::parse(told.out.toStdString(), nullptr, false);
    QVERIFY2(verdict.is_object(), told.out.constData());
    QCOMPARE(verdict["root_rank"].get<int>(), 2);
    QCOMPARE(verdict["is_hang"].get<bool>(), true);
    QVERIFY(verdict["ending"].is_null());
    QCOMPARE(verdict["cause_id"].get<std::string>(), std::string("hccl-EI0002"));
    QCOMPARE(verdict["cause"].get<std::string>(),
             std::string("rank 1 gave up waiting: RuntimeError: HCCL allreduce failed: EI0002 notify wait "
                         "timeout, remote rank 2"));
    QCOMPARE(verdict["trace"].size(), std::size_t(3));
    for (const auto &evidence : verdict["evidence"])
        QVERIFY2(evidence["text"].get<std::string>().find("SIGTERM") == std::string::npos,
                 told.out.constData());
    const Outcome text = ctl({u"report"_s, u"last"_s});
    QVERIFY2(text.out.startsWith("Rank 2 hung; rank 1 gave up waiting: "), text.out.constData());
}

void ProcessesRunTest::aPipeInPlaceOfTheErrorFileHoldsNobodyUp()
{
    const Outcome outcome = ctl(launch(QString(), shell("mkfifo $TORCHELASTIC_ERROR_FILE; exit 4")));
    QVERIFY2(outcome.code == 4, outcome.err.constData());
    QVERIFY(outcome.err.contains("Rank 0 failed first: exit code 4"));
}

void ProcessesRunTest::aDetachedRunIsFoundAgain()
{
    const Outcome started = ctl(launch(u"--detach --name d"_s, shell("exit 3")));
    QCOMPARE(started.code, 0);
    const QString name = QString::fromUtf8(started.out).trimmed();
    QVERIFY(name.endsWith("-d"_L1));
    QCOMPARE(ctl({u"wait"_s, name}).code, 3);
    QVERIFY(ctl({u"list"_s}).out.contains(name.toUtf8()));
}

void ProcessesRunTest::anInterruptStopsTheRun()
{
    QProcess process;
    process.start(buildPath("bin/rankdeckctl"), launch(u"--nproc 2"_s, shell("echo ready; exec sleep 60")));
    QByteArray out;
    QTRY_VERIFY_WITH_TIMEOUT((out += process.readAllStandardOutput()).count("ready") == 2, 20000);
    ::kill(pid_t(process.processId()), SIGINT);
    QCOMPARE(outcomeOf(process).code, 128 + SIGINT);
    QCOMPARE(lastRun().phase, RunPhase::Stopped);
    QTRY_VERIFY(leftovers().isEmpty());
}

void ProcessesRunTest::aFailureRestartsAllRanks()
{
    const QString logDir = m_home->path("out");
    const QByteArray script =
        "echo $RANK $TORCHELASTIC_RESTART_COUNT of $TORCHELASTIC_MAX_RESTARTS; echo x >&2; "
        "[ $TORCHELASTIC_RESTART_COUNT = 1 ] && exit; [ $RANK = 0 ] && touch PRINTED && sleep 60; "
        "until [ -e PRINTED ]; do sleep 0.05; done; exit 3";
    const Outcome outcome =
        ctl(launch(u"--nproc 2 --max-restarts 3 --name r --log-dir %1"_s.arg(logDir),
                   shell(QByteArray(script).replace("PRINTED", m_home->path("printed").toUtf8()))));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY2(outcome.err.contains("Restart 1 of 3. Rank 1 failed: exit code 3."), outcome.err.constData());
    QVERIFY(outcome.out.contains("[r0]:0 0 of 3\n"));
    QVERIFY(outcome.out.contains("[r1]:1 1 of 3\n"));
    QCOMPARE(fileText(logDir + u"/attempt_0/1/stdout.log"_s), QByteArray("1 0 of 3\n"));
    QCOMPARE(fileText(logDir + u"/attempt_1/1/stdout.log"_s), QByteArray("1 1 of 3\n"));
    QCOMPARE(fileText(logDir + u"/attempt_0/1/stderr.log"_s), QByteArray("x\n"));
    const RunState run = lastRun();
    QCOMPARE(run.phase, RunPhase::Succeeded);
    QCOMPARE(run.attempt, 1);
    QVERIFY(!run.failure);
    const QStringList logs{u"logs"_s, u"last"_s, u"--rank"_s, u"1"_s};
    const QString attempt = u"--attempt"_s;
    QCOMPARE(ctl(logs).out, QByteArray("1 1 of 3\nx\n"));
    QCOMPARE(ctl(logs + QStringList{attempt, u"0"_s}).out, QByteArray("1 0 of 3\nx\n"));
    const Outcome none = ctl(logs + QStringList{attempt, u"2"_s});
    QCOMPARE(none.code, 2);
    QVERIFY2(none.err.contains("--attempt: this run has had no attempt 2. Give 0 to 1."),
             none.err.constData());
    QVERIFY(ctl({u"attach"_s, u"last"_s}).out.contains("[r1]:1 0 of 3\n"));
    const Outcome told = ctl({u"report"_s, u"last"_s});
    QVERIFY2(told.out.contains("Attempt 0 failed: Rank 1 failed first: exit code 3"), told.out.constData());
    QTRY_VERIFY(leftovers().isEmpty());
}

void ProcessesRunTest::theFirstAttemptsFailureIsTheVerdict()
{
    const Outcome outcome =
        ctl(launch(u"--nproc 2 --max-restarts 2"_s,
                   shell("[ $RANK = 0 ] && exec sleep 60; exit $((10 + TORCHELASTIC_RESTART_COUNT))")));
    QVERIFY2(outcome.code == 12, outcome.err.constData());
    for (const char *words :
         {"Rank 1 failed first: exit code 10", "\nAttempt 1 failed: Rank 1 failed first: exit code 11",
          "\nAttempt 2 failed: Rank 1 failed first: exit code 12", "/attempt_0/1/",
          "\nAttempt 0 of 3, counted from 0; at most 2 restarts\n"})
        QVERIFY2(outcome.err.contains(words), outcome.err.constData());
    const Outcome told = ctl({u"report"_s, u"last"_s, u"--json"_s});
    QCOMPARE(parseJson(told.out)->at("attempt").get<int>(), 0);
    const RunState run = lastRun();
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.attempt, 2);
    QVERIFY(run.failure && run.failure->logFile.contains("/attempt_2/1/"_L1));
    QCOMPARE(run.notes.filter(u"Restart "_s).size(), 2);
    verifySaid(run.directory);
    QTRY_VERIFY(leftovers().isEmpty());
}

/// In each attempt the ranks end in the order 1, 0; their files say 0, 1.
void ProcessesRunTest::theRootCauseOfEachAttemptIsTold()
{
    const Outcome outcome =
        ctl(launch(u"--nproc 2 --grace 20 --max-restarts 1"_s,
                   recorder("here = os.path.dirname(os.environ['TORCHELASTIC_ERROR_FILE'])\n"
                            "here = os.path.dirname(here)\n"
                            "signal.signal(signal.SIGTERM, lambda *_: fail(2000, 11))\n"
                            "if rank == 1: wait('0'), fail(3000, 12)\n"
                            "ready()\n"
                            "time.sleep(60)\n")));
    QVERIFY2(outcome.code == 11, outcome.err.constData());
    QVERIFY2(outcome.err.contains("Restart 1 of 1. Rank 0 failed: exit code 11 (RuntimeError: rank 0)."),
             outcome.err.constData());
    QVERIFY(outcome.err.contains("Rank 0 failed before rank 1, by the time in its error.json."));
    const QString logs = lastRun().directory + u"/logs/attempt_%1/0/error.json"_s;
    QVERIFY(QFile::exists(logs.arg(0)));
    QVERIFY(QFile::exists(logs.arg(1)));
}

void ProcessesRunTest::hooksRunAroundEveryAttempt()
{
    const QString says = u"sh -c 'echo at $TORCHELASTIC_RESTART_COUNT'"_s;
    const QStringList hooks{u"--before"_s, says, u"--after"_s, says};
    const Outcome outcome = ctl(
        launch(u"--nproc 2 --max-restarts 1"_s, hooks + shell("exit $((1 - TORCHELASTIC_RESTART_COUNT))")));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    for (const char *log : {"/logs/before.log", "/logs/after.log"}) {
        const QByteArray text = fileText(lastRun().directory + QLatin1String(log));
        QVERIFY2(text.indexOf("\nat 0\n") >= 0 && text.indexOf("\nat 1\n") > text.indexOf("\nat 0\n"),
                 text.constData());
    }
}

void ProcessesRunTest::whatCannotBeStartedIsNotRestarted()
{
    // Rank 0 takes its own program away before it fails.
    const QString program = m_home->path("train");
    QFile file(program);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\nrm \"$0\"; exit 3\n");
    file.close();
    QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const Outcome outcome = ctl(launch(u"--max-restarts 5"_s, {u"--"_s, program}));
    QVERIFY2(outcome.code == 127, outcome.err.constData());
    QCOMPARE(lastRun().attempt, 1);
    QVERIFY2(outcome.err.contains("the process could not be started"), outcome.err.constData());
}

/// Asked while attempt 0 is being torn down: the next one would start after that.
void ProcessesRunTest::aStopEndsTheRestarts()
{
    const QString go = m_home->path("go");
    QCOMPARE(ctl(launch(u"--nproc 2 --grace 60 --max-restarts 5 --detach"_s,
                        shell(u"[ $RANK = 1 ] && exit 3; trap 'while [ ! -e %1 ]; do sleep 0.02; "
                              "done; exit 9' TERM; while :; do sleep 0.05; done"_s.arg(go)
                                  .toUtf8()
                                  .constData())))
                 .code,
             0);
    QTRY_COMPARE_WITH_TIMEOUT(lastRun().phase, RunPhase::Stopping, 20000);
    QProcess stop;
    stop.start(buildPath("bin/rankdeckctl"), {u"stop"_s, u"last"_s});
    const auto stopIsAskedFor = [] {
        return !lastRun().notes.filter(u"Stop was requested"_s).isEmpty();
    };
    QTRY_VERIFY_WITH_TIMEOUT(stopIsAskedFor(), 20000);
    QFile file(go);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(outcomeOf(stop).code, 0);
    const RunState run = lastRun();
    QCOMPARE(run.phase, RunPhase::Stopped);
    QCOMPARE(run.attempt, 0);
    QVERIFY(!run.failure);
    QTRY_VERIFY(leftovers().isEmpty());
}

void ProcessesRunTest::aLostAgentEndsTheRestarts()
{
    const Outcome started =
        ctl(launch(u"--nproc 2 --max-restarts 5 --detach"_s,
                   shell("[ $TORCHELASTIC_RESTART_COUNT = 0 ] && exit 3; exec sleep 60")));
    QCOMPARE(started.code, 0);
    const auto secondAttemptRuns = [] {
        const RunState run = lastRun();
        return run.attempt == 1 && run.count(RankPhase::Running) == 2;
    };
    QTRY_VERIFY_WITH_TIMEOUT(secondAttemptRuns(), 20000);
    const auto agents = toldOf<events::AgentStarted>(journalOf(lastRun().directory));
    QVERIFY(!agents.isEmpty() && agents.last().pid > 0);
    QCOMPARE(::kill(pid_t(agents.last().pid), SIGKILL), 0);
    QTRY_VERIFY_WITH_TIMEOUT(leftovers().isEmpty(), 10000);
    const RunState run = lastRun();
    QCOMPARE(run.phase, RunPhase::Failed);
    QCOMPARE(run.attempt, 1);
    QVERIFY(run.failure && run.failure->reason.text().contains("Lost the agent"_L1));
    for (const RankState &rank : run.ranks)
        QVERIFY(rank.status.has_value());
}

void ProcessesRunTest::strayProcessesOfAnAttemptAreGoneBeforeTheNext()
{
    const QString pidFile = m_home->path("stray");
    const Outcome outcome = ctl(
        launch(u"--max-restarts 1"_s,
               shell(u"if [ $TORCHELASTIC_RESTART_COUNT = 0 ]; then setsid sleep 100 & echo $! > %1; exit 3; "
                     "fi; kill -0 $(cat %1) 2>/dev/null && exit 4; exit 0"_s.arg(pidFile)
                         .toUtf8()
                         .constData())));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(!fileText(pidFile).isEmpty());
}

void ProcessesRunTest::planStartsNothing()
{
    const Outcome outcome =
        ctl({u"plan"_s, u"processes"_s, u"--json"_s, u"--nproc"_s, u"2"_s, u"--"_s, u"train"_s, u"--json"_s});
    QCOMPARE(outcome.code, 0);
    const auto plan = nlohmann::json::parse(outcome.out.toStdString());
    QCOMPARE(plan.at("processes").size(), size_t(2));
    QCOMPARE(plan.at("processes").at(1).at("argv").at(1).get<std::string>(), std::string("--json"));
    QVERIFY(!QDir(runsDirectory()).exists());
}

void ProcessesRunTest::wrongUseIsOneSentenceAndExitCode2_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QByteArray>("words");
    const auto row = [](const char *line, const char *words) {
        QTest::newRow(line) << QString::fromLatin1(line) << QByteArray(words);
    };
    row("--nprocs 2 -- true", "--nprocs");
    row("--nproc 0 -- true", "--nproc: 0 is out of range");
    row("--nnodes 2 --node-rank 2 -- true", "--node-rank");
    row("--max-restarts -1 -- true", "--max-restarts");
    row("--redirects 7 -- true", "does not name streams");
    row("--redirects 1:3 -- true", "local rank 1 does not exist");
    row("--nproc 2", "no command");
    row("--nproc 2 -- ./no-such-program", "No such file");
    row("--work-dir /no/such -- true", "/no/such");
    row("missing.json", "missing.json");
    row("--log-dir /proc/none -- true", "/proc/none");
}

void ProcessesRunTest::wrongUseIsOneSentenceAndExitCode2()
{
    QFETCH(QString, line);
    QFETCH(QByteArray, words);
    const Outcome outcome = ctl(launch(line, {}), m_home->path(""));
    verifyOneSentence(outcome, words);
    QVERIFY(QDir(runsDirectory()).entryList(QDir::Dirs | QDir::NoDotAndDotDot).isEmpty());
}

void ProcessesRunTest::aBusyLogDirectoryIsLeftAlone()
{
    const QString logDir = m_home->path("out");
    const QStringList arguments = launch(u"--log-dir %1"_s.arg(logDir), shell("echo once"));
    QCOMPARE(ctl(arguments).code, 0);
    const Outcome again = ctl(arguments);
    QCOMPARE(again.code, 2);
    QVERIFY2(again.err.contains("the log directory is not empty"), again.err.constData());
    QCOMPARE(fileText(logDir + u"/0/stdout.log"_s), QByteArray("once\n"));
}

void ProcessesRunTest::aBusyPortIsToldBeforeAnythingStarts_data()
{
    QTest::addColumn<QString>("options");
    QTest::newRow("as it is") << QString();
    QTest::newRow("by name") << u"--master-addr localhost"_s;
    QTest::newRow("first node") << u"--nnodes 2 --master-addr 127.0.0.1"_s;
}

void ProcessesRunTest::aBusyPortIsToldBeforeAnythingStarts()
{
    QFETCH(QString, options);
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const QString port = u"--master-port %1 "_s.arg(server.serverPort());
    const Outcome outcome = ctl(launch(port + options, shell("true")));
    QCOMPARE(outcome.code, 2);
    QCOMPARE(linesOf(outcome.err).size(), 1);
    const QByteArray number = QByteArray::number(server.serverPort());
    QVERIFY2(outcome.err.contains("port " + number + " is in use, so rank 0 cannot listen there"),
             outcome.err.constData());
    QVERIFY2(outcome.err.contains("e.g. --master-port="), outcome.err.constData());
    QVERIFY(RunSummaries().read().isEmpty());
}

void ProcessesRunTest::aBusyPortMattersOnlyWhereRank0Is()
{
    QTcpServer server;
    QVERIFY(server.listen(QHostAddress::LocalHost));
    const QString port = u"--master-port %1 "_s.arg(server.serverPort());
    const auto code = [&](const char *options) {
        return ctl(launch(port + QLatin1String(options), shell("true"))).code;
    };
    QCOMPARE(code("--nnodes 2 --node-rank 1"), 0);
    // Of the documentation's addresses, so no machine's own.
    QCOMPARE(code("--nnodes 2 --master-addr 192.0.2.1"), 0);
}

void ProcessesRunTest::runsAtTheSameTimeMeetAtPortsOfTheirOwn()
{
    const auto start = [](const QStringList &more) {
        return ctl(QStringList{u"processes"_s, u"--detach"_s} + more + shell("exec sleep 60"));
    };
    const auto portOf = [](const Outcome &outcome) {
        const auto directory = findRun(QString::fromUtf8(outcome.out).trimmed());
        const auto state = directory ? RunReader(*directory).open() : Result<RunState>(directory.error());
        return state && state->plan ? state->plan->processes.front().setVariables.value(u"MASTER_PORT"_s)
                                    : QString();
    };
    const Outcome first = start({});
    const Outcome second = start({});
    QVERIFY2(first.code == 0 && second.code == 0, second.err.constData());
    QVERIFY(!portOf(first).isEmpty() && !portOf(second).isEmpty());
    QVERIFY(portOf(first) != portOf(second));
    // Nobody listens there, but the ports are reserved.
    QTRY_VERIFY_WITH_TIMEOUT(lockerOfPort(portOf(second).toInt()) != 0, 20000);
    const QString port = u"--master-port=%1"_s.arg(freePort());
    const Outcome third = start({port});
    QCOMPARE(third.code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(lockerOfPort(portOf(third).toInt()) != 0, 20000);
    const Outcome named = start({port});
    const Outcome fixed = start({u"--ports=fixed"_s, u"--master-port="_s + portOf(second)});
    for (const Outcome &refused : {named, fixed}) {
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.err.contains("has reserved port") && refused.err.contains("e.g. --master-port="),
                 refused.err.constData());
    }
    QVERIFY2(named.err.contains(third.out.trimmed()), named.err.constData());
    QCOMPARE(start({u"--ports=never"_s}).code, 2);
    for (const Outcome &run : {first, second, third})
        QCOMPARE(ctl({u"stop"_s, QString::fromUtf8(run.out).trimmed()}).code, 0);
    QTRY_COMPARE_WITH_TIMEOUT(lockerOfPort(portOf(third).toInt()), qint64(0), 20000);
}

void ProcessesRunTest::helpListsTheOptions()
{
    const Outcome outcome = ctl({u"processes"_s, u"--help"_s});
    QCOMPARE(outcome.code, 0);
    for (const char *option : {"--nproc", "--redirects", "--tee", "--log-dir", "--detach", "SPEC.json"})
        QVERIFY2(outcome.out.contains(option), option);
}

} // namespace tst_processesrun

RANKDECK_TEST(tst_processesrun, ProcessesRunTest)
#include "tst_processesrun.moc"

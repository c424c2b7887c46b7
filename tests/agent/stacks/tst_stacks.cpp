#include "agent/stacks/stackdumper.h"
#include "agent/stacks/stackkeeper.h"
#include "agent/stacks/stacktools.h"
#include "diagnosis/stall/stackgroups.h"
#include "support/handmaderun.h"
#include "support/testmain.h"

#include <QDir>
#include <QProcess>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

namespace tst_stacks
{

using namespace rankdeck;

namespace
{

const Sentence rankText(u"rank 3"_s);

ProcessLook look(bool isPython, quint64 caught = 0, char state = 'S')
{
    ProcessLook made;
    made.info.pid = 4711;
    made.info.state = state;
    made.isPython = isPython;
    made.caught = caught;
    return made;
}

QStringList texts(const std::vector<StackWay> &ways)
{
    QStringList all;
    for (const StackWay &way : ways)
        all << way.text();
    return all;
}

constexpr quint64 catchesUsr1 = quint64(1) << (SIGUSR1 - 1);

} // namespace

/// Which way leads to the stacks of a process, and what becomes of them.
class StacksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }
    void cleanup();
    void theBestWayComesFirst_data();
    void theBestWayComesFirst();
    void anotherPythonReadsTheFramesOfANewOne();
    void aProcessLikeOursSeesOurFiles();
    void aMissingToolIsNoWay();
    void signalsWithHandlersAreRead();
    void whatFaulthandlerWroteIsTaken();
    void whyThereAreNoneIsSaidWithAMend_data();
    void whyThereAreNoneIsSaidWithAMend();
    void aToolInThePathIsUsed();
    void aToolThatMayNotLookIsToldOf();
    void aToolThatFailsIsFollowedByTheNext();
    void manyRanksAreAllAnswered();
    void pythonsFaulthandlerIsAsked();
    void gdbHasPythonWriteItsFrames();
    void framesOfCComeWithTheWayToPythons();
    void asysHasTheProcessWriteItsStacks();
    void aProcessWithoutAHandlerGetsNoSignal();
    void realToolsShowARealProcess_data();
    void realToolsShowARealProcess();
    void aDumpIsAFileOfItsOwn();
    void whoCannotBeAskedIsRefusedAtOnce();

private:
    QString program(const char *name, const QByteArray &text) const
    {
        QFile file(m_folder->filePath(QLatin1String(name)));
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + text) < 0)
            return {};
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
    /// A process to look into, and its log.
    qint64 start(const QStringList &command)
    {
        m_process = std::make_unique<QProcess>();
        m_process->setProcessChannelMode(QProcess::MergedChannels);
        m_process->setStandardOutputFile(log());
        m_process->start(command.first(), command.mid(1));
        return m_process->waitForStarted() ? m_process->processId() : 0;
    }
    QString log() const { return m_folder->filePath(u"log"_s); }
    StackJob::Rank rank(qint64 pid) const { return {3, pid, rankText, log()}; }
    /// An old gdb does not know all registers of a new processor, and then writes none but the general ones.
    static bool writesRegisters(const QString &gdb, qint64 pid)
    {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(gdb, {u"-p"_s, QString::number(pid), u"-nx"_s, u"-batch"_s, u"-ex"_s,
                            u"set var $mxcsr = $mxcsr ^ 1"_s, u"-ex"_s, u"set var $mxcsr = $mxcsr ^ 1"_s});
        process.waitForFinished(60000);
        return !process.readAll().contains("Couldn't write");
    }
    struct Result {
        QString stacks;
        QString problem;
    };
    Result dump(const StackTools &tools, qint64 pid, int dumpSignal = 0)
    {
        StackJob job(rank(pid), tools, dumpSignal);
        QSignalSpy finished(&job, &StackJob::finished);
        job.start();
        if (finished.isEmpty())
            finished.wait(60000);
        return finished.isEmpty() ? Result()
                                  : Result{finished[0][0].toString(), finished[0][1].value<Sentence>()};
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<QProcess> m_process;
};

void StacksTest::cleanup()
{
    if (m_process) {
        m_process->kill();
        m_process->waitForFinished();
    }
    m_process.reset();
}

void StacksTest::theBestWayComesFirst_data()
{
    QTest::addColumn<bool>("isPython");
    QTest::addColumn<quint64>("caught");
    QTest::addColumn<int>("state");
    QTest::addColumn<QStringList>("ways");
    const QString pySpy = u"py-spy dump --pid 4711"_s;
    const QString signal = u"SIGUSR1 (faulthandler)"_s;
    const QString gdb = u"gdb -p 4711 -nx -iex set auto-load off -batch -ex thread apply all bt"_s;
    const QString euStack = u"eu-stack -p 4711"_s;
    QTest::newRow("Python that listens")
        << true << catchesUsr1 << int('S') << QStringList{pySpy, signal, gdb, euStack};
    QTest::newRow("Python that does not")
        << true << quint64(0) << int('S') << QStringList{pySpy, gdb, euStack};
    QTest::newRow("Python that is stopped")
        << true << catchesUsr1 << int('T') << QStringList{pySpy, gdb, euStack};
    QTest::newRow("another program that listens")
        << false << catchesUsr1 << int('S') << QStringList{gdb, euStack};
    const QString asys = u"asys collect -r=stacktrace --remote=4711 --all --quiet"_s;
    constexpr quint64 catchesCann = quint64(1) << 34;
    QTest::newRow("a program that CANN watches")
        << false << catchesCann << int('S') << QStringList{gdb, euStack, asys};
    QTest::newRow("one that is stopped") << false << catchesCann << int('T') << QStringList{gdb, euStack};
}

void StacksTest::theBestWayComesFirst()
{
    QFETCH(bool, isPython);
    QFETCH(quint64, caught);
    QFETCH(int, state);
    const StackTools tools{u"/a/py-spy"_s, u"/a/gdb"_s, u"/a/eu-stack"_s, u"/a/asys"_s, {}};
    QTEST(texts(stackWays(tools, look(isPython, caught, static_cast<char>(state)), SIGUSR1)), "ways");
}

void StacksTest::anotherPythonReadsTheFramesOfANewOne()
{
    ProcessLook seen = look(true);
    seen.frameReader = u"/opt/bin/python3.14"_s;
    const StackTools tools{{}, u"/a/gdb"_s, {}, {}, u"/a/nsenter"_s};
    const auto ways = stackWays(tools, seen, 0);
    QCOMPARE(texts(ways).first(), u"python3.14 -I -c … 4711"_s);
    QVERIFY(!ways.back().asksPython); // This Python does not export what gdb would call.
    seen.root = u"/proc/4711/root"_s;
    QCOMPARE(
        texts(stackWays(tools, seen, 0)),
        (QStringList{
            u"nsenter -t 4711 -m -r /opt/bin/python3.14 -I -c … 4711"_s,
            u"gdb -p 4711 -nx -iex set auto-load off -iex set sysroot /proc/4711/root /proc/4711/exe -batch "
            "-ex thread apply all bt"_s}));
    QVERIFY(stackWays({}, seen, 0).empty()); // Nothing leads into its root.
}

void StacksTest::aProcessLikeOursSeesOurFiles()
{
    const auto looks = lookAtRank(static_cast<pid_t>(start({u"sleep"_s, u"1000"_s})));
    QCOMPARE(looks.size(), std::size_t(1));
    QVERIFY2(looks[0].root.isEmpty(), qPrintable(looks[0].root));
    QVERIFY(looks[0].frameReader.isEmpty() && !looks[0].isPython);
}

void StacksTest::aMissingToolIsNoWay()
{
    QVERIFY(stackWays({}, look(true, catchesUsr1), 0).empty());
    QCOMPARE(texts(stackWays({}, look(true, catchesUsr1), SIGUSR1)),
             QStringList{u"SIGUSR1 (faulthandler)"_s});
    QCOMPARE(texts(stackWays({{}, {}, u"eu-stack"_s, {}, {}}, look(true), SIGUSR1)),
             QStringList{u"eu-stack -p 4711"_s});
    QVERIFY(StackTools::inPath(m_folder->path()).isEmpty());
    QVERIFY(StackTools::inPath({}).isEmpty());
}

void StacksTest::signalsWithHandlersAreRead()
{
    QCOMPARE(caughtSignals("Name:\tx\nSigIgn:\t0000000001001000\nSigCgt:\t0000000000000200\nCapInh:\t0\n"),
             quint64(0x200));
    QCOMPARE(caughtSignals("Name:\tx\n"), quint64(0));
    QVERIFY(look(true, catchesUsr1).catches(SIGUSR1));
    QVERIFY(!look(true, catchesUsr1).catches(SIGUSR2));
    QVERIFY(!look(true, ~quint64(0)).catches(0));
    QVERIFY(isPythonProgram(u"/usr/bin/python3.11"_s));
    QVERIFY(!isPythonProgram(u"/usr/bin/bash"_s));
}

void StacksTest::whatFaulthandlerWroteIsTaken()
{
    QCOMPARE(faulthandlerLines(
                 "step 1\nThread 0x00007f (most recent call first):\n  File \"a.py\", line 1 in f\n"
                 "step 2\n  File \"a.py\", line 9 in <module>\n\n"
                 "Current thread 0x00007e (most recent call first):\n  File \"b.py\", line 2 in g\nstep 3\n"),
             QByteArray("Thread 0x00007f (most recent call first):\n  File \"a.py\", line 1 in f\n"
                        "  File \"a.py\", line 9 in <module>\n\n"
                        "Current thread 0x00007e (most recent call first):\n  File \"b.py\", line 2 in g\n"));
    QVERIFY(faulthandlerLines("  File \"a.py\", line 1 in f\nstep 1\n").isEmpty());
}

void StacksTest::whyThereAreNoneIsSaidWithAMend_data()
{
    QTest::addColumn<QString>("tried");
    QTest::addColumn<QString>("said");
    QTest::addColumn<int>("scope");
    QTest::addColumn<QString>("mend");
    QTest::newRow("no tool") << QString() << QString() << -1 << u"Install one of them there"_s;
    QTest::newRow("yama") << u"gdb -p 1"_s << u"ptrace: Operation not permitted."_s << 1
                          << u"kernel.yama.ptrace_scope is 1 there"_s;
    QTest::newRow("container") << u"gdb -p 1"_s << u"ptrace: Operation not permitted."_s << -1
                               << u"SYS_PTRACE"_s;
    QTest::newRow("something else") << u"gdb -p 1"_s << u"out of memory"_s << 1
                                    << u"failed (out of memory). Try again"_s;
}

void StacksTest::whyThereAreNoneIsSaidWithAMend()
{
    QFETCH(QString, tried);
    QFETCH(QString, said);
    QFETCH(int, scope);
    QFETCH(QString, mend);
    const QString text = noStacksText(rankText, tried, Sentence(said), scope);
    QVERIFY2(text.startsWith(u"No stacks of rank 3: "_s), qPrintable(text));
    QVERIFY2(text.contains(mend), qPrintable(text));
}

void StacksTest::aToolInThePathIsUsed()
{
    program(
        "eu-stack",
        "echo \"PID $2 - process\"; echo 'TID 1:'; echo '#0  0x00007f poll'; printf '\\033[31m#1 red\\n'\n");
    const StackTools tools = StackTools::inPath(m_folder->path());
    const qint64 pid = start({u"sleep"_s, u"1000"_s});
    const Result result = dump(tools, pid);
    QVERIFY2(result.problem.isEmpty(), qPrintable(result.problem));
    QVERIFY2(result.stacks.startsWith(u"rank 3, process %1 (sleep), eu-stack -p %1, "_s.arg(pid)),
             qPrintable(result.stacks));
    QVERIFY(result.stacks.contains(u"\n#0  0x00007f poll\n#1 red\n"_s));
}

void StacksTest::aToolThatMayNotLookIsToldOf()
{
    program("eu-stack", "echo 'eu-stack: dwfl_thread_getframes: Operation not permitted' >&2; exit 1\n");
    const Result result = dump(StackTools::inPath(m_folder->path()), start({u"sleep"_s, u"1000"_s}));
    QVERIFY(result.stacks.isEmpty());
    QVERIFY2(result.problem.contains(u"may not inspect the process"_s), qPrintable(result.problem));
}

void StacksTest::aToolThatFailsIsFollowedByTheNext()
{
    program("gdb", "echo 'ptrace: No such process.'; exit 0\n");
    program("eu-stack", "echo '#0 here'\n");
    const Result result = dump(StackTools::inPath(m_folder->path()), start({u"sleep"_s, u"1000"_s}));
    QVERIFY2(result.stacks.contains(u"#0 here"_s), qPrintable(result.problem));
}

void StacksTest::manyRanksAreAllAnswered()
{
    program("eu-stack", "echo '#0 here'\n");
    qputenv("PATH", (m_folder->path() + ':'_L1 + qEnvironmentVariable("PATH")).toLocal8Bit());
    const qint64 pid = start({u"sleep"_s, u"1000"_s});
    std::vector<StackJob::Rank> ranks;
    for (int process = 0; process < 12; ++process)
        ranks.push_back(
            {process, process == 5 ? qint64(0x7ffffff) : pid, Sentence(u"rank %1"_s.arg(process)), log()});
    StackDumper dumper;
    QMap<int, events::StacksDumped> answers;
    connect(&dumper, &StackDumper::happened, this, [&](const RunEvent &event) {
        answers.insert(event.process(), std::get<events::StacksDumped>(event.what));
    });
    const StackTools tools = StackTools::inPath(qEnvironmentVariable("PATH"));
    dumper.dump(ranks, tools, 0);
    dumper.dump(ranks, tools, 0); // Nobody is asked twice at once.
    QTRY_COMPARE_WITH_TIMEOUT(answers.size(), 12, 60000);
    QCOMPARE(answers[5].text, u"No stacks of rank 5: it has ended."_s);
    QVERIFY(answers[5].stacks.isEmpty());
    QVERIFY(!answers[11].stacks.isEmpty());
}

void StacksTest::pythonsFaulthandlerIsAsked()
{
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (python.isEmpty())
        QSKIP("python3 is not installed");
    const qint64 pid = start({python, u"-c"_s,
                              u"import faulthandler, signal, time\n"
                              "faulthandler.register(signal.SIGUSR1)\n"
                              "def wait_for_ever():\n    time.sleep(1000)\n"
                              "print('ready', flush=True)\nwait_for_ever()\n"_s});
    const auto logText = [this] {
        QFile file(log());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QTRY_VERIFY_WITH_TIMEOUT(logText().contains("ready"), 30000);
    const Result result = dump({}, pid, SIGUSR1);
    QVERIFY2(result.problem.isEmpty(), qPrintable(result.problem));
    QVERIFY2(result.stacks.contains(u"SIGUSR1 (faulthandler)"_s), qPrintable(result.stacks));
    QVERIFY2(result.stacks.contains(u"in wait_for_ever"_s), qPrintable(result.stacks));
    QCOMPARE(m_process->state(), QProcess::Running);
}

void StacksTest::gdbHasPythonWriteItsFrames()
{
    StackTools tools;
    tools.gdb = QStandardPaths::findExecutable(u"gdb"_s);
    const QString python = u"/usr/bin/python3"_s; // Others may lack the symbol.
    if (tools.gdb.isEmpty() || !QFile::exists(python))
        QSKIP("gdb or /usr/bin/python3 is not installed");
    const qint64 pid = start({python, u"-c"_s,
                              u"import threading, time\n"
                              "def wait_for_ever():\n    time.sleep(1000)\n"
                              "def load_data():\n    wait_for_ever()\n"
                              "threading.Thread(target=load_data, daemon=True).start()\n"
                              "def train():\n"
                              "    print('ready', flush=True)\n    wait_for_ever()\n"
                              "train()\n"_s});
    QFile written(log());
    QTRY_VERIFY_WITH_TIMEOUT(written.size() > 0, 30000);
    const bool isAble = writesRegisters(tools.gdb, pid);
    Result result;
    const bool isThere = QTest::qWaitFor(
        [&] {
            result = dump(tools, pid);
            return !isAble || !result.problem.isEmpty() || result.stacks.contains(u"in train"_s);
        },
        60000);
    if (result.problem.contains(u"may not inspect the process"_s))
        QSKIP("this place permits no ptrace");
    // It goes on also where gdb cannot have it write them.
    QCOMPARE(m_process->state(), QProcess::Running);
    if (!isAble)
        QSKIP("this gdb cannot write the registers of this processor");
    QVERIFY2(isThere && result.problem.isEmpty(), qPrintable(result.problem + result.stacks));
    QVERIFY2(result.stacks.contains(u"in load_data"_s), qPrintable(result.stacks));
    QVERIFY2(result.stacks.contains(u"nanosleep"_s),
             qPrintable(result.stacks)); // Those of C too.
    // The main thread says where the rank is.
    const auto groups = stackGroups({{0, result.stacks}});
    QVERIFY2(groups.at(0).top.startsWith(u"wait_for_ever ("_s), qPrintable(groups.at(0).top));
    // It has gone on as if nothing had been.
    QCOMPARE(m_process->state(), QProcess::Running);
    QCOMPARE(written.size(), qint64(6));
}

void StacksTest::framesOfCComeWithTheWayToPythons()
{
    program("gdb", "echo '#0 poll'\n");
    const QString python = QStandardPaths::findExecutable(u"python3"_s);
    if (python.isEmpty())
        QSKIP("python3 is not installed");
    const qint64 pid = start({python, u"-c"_s, u"import time; time.sleep(1000)"_s});
    QTRY_VERIFY_WITH_TIMEOUT(lookAtRank(static_cast<pid_t>(pid)).front().isPython, 30000);
    const Result result = dump(StackTools::inPath(m_folder->path()), pid);
    QVERIFY2(result.stacks.contains(u"pip install py-spy"_s), qPrintable(result.stacks));
}

void StacksTest::asysHasTheProcessWriteItsStacks()
{
    StackTools tools;
    tools.asys =
        program("asys", "for word; do\n"
                        "case $word in --remote=*) pid=${word#*=};; --output=*) to=${word#*=};; esac\n"
                        "done\n"
                        "kill -35 $pid || exit\n"
                        "echo '[ASYS] [INFO]: asys start.'\n"
                        "cd \"${0%/*}\"\n"
                        "until test -s stackcore.txt; do sleep 0.01; done\n"
                        "mkdir $to/asys_output_1\n"
                        "cp stackcore.txt $to/asys_output_1/stackcore_tracer_35_$pid.txt\n");
    const qint64 pid =
        start({u"python3"_s, u"-c"_s,
               u"import os, signal\n"
               "def write(*args):\n"
               "    with open('%1/new', 'w') as new: new.write('[stack]\\n#00 HcclAllReduce\\n')\n"
               "    os.rename('%1/new', '%1/stackcore.txt')\n"
               "signal.signal(35, write)\n"
               "while True: signal.pause()\n"_s.arg(m_folder->path())});
    QTRY_VERIFY_WITH_TIMEOUT(lookAtRank(static_cast<pid_t>(pid)).front().catches(35), 30000);
    const Result result = dump(tools, pid);
    QVERIFY2(result.stacks.contains(u"#00 HcclAllReduce"_s), qPrintable(result.problem));
    QVERIFY(!result.stacks.contains(u"asys start"_s));
    QCOMPARE(m_process->state(), QProcess::Running);
}

void StacksTest::aProcessWithoutAHandlerGetsNoSignal()
{
    const qint64 pid = start({u"sleep"_s, u"1000"_s});
    ProcessLook seen = look(true, catchesUsr1);
    seen.info = *readProcess(static_cast<pid_t>(pid));
    SignalledStacks stacks(seen, SIGUSR1, log()); // As if it had had one a moment ago.
    QSignalSpy finished(&stacks, &SignalledStacks::finished);
    stacks.start();
    QVERIFY(finished.wait(20000));
    QVERIFY(finished[0][0].toByteArray().isEmpty());
    QCOMPARE(m_process->state(), QProcess::Running);
    QVERIFY(readProcess(static_cast<pid_t>(pid)));
}

void StacksTest::realToolsShowARealProcess_data()
{
    QTest::addColumn<QString>("name");
    QTest::newRow("gdb") << u"gdb"_s;
    QTest::newRow("eu-stack") << u"eu-stack"_s;
}

void StacksTest::realToolsShowARealProcess()
{
    QFETCH(QString, name);
    const QString path = QStandardPaths::findExecutable(name);
    if (path.isEmpty())
        QSKIP(qPrintable(name + u" is not installed"_s));
    StackTools tools;
    (name == "gdb"_L1 ? tools.gdb : tools.euStack) = path;
    const qint64 pid = start({u"sleep"_s, u"1000"_s});
    Result result;
    // It may not have come to its sleep yet.
    const bool isAsleep = QTest::qWaitFor(
        [&] {
            result = dump(tools, pid);
            return !result.problem.isEmpty() || result.stacks.contains(u"nanosleep"_s);
        },
        30000);
    if (result.problem.contains(u"may not inspect the process"_s))
        QSKIP("this place permits no ptrace");
    QVERIFY2(result.stacks.contains(u"#0"_s), qPrintable(result.problem + result.stacks));
    QVERIFY2(isAsleep, qPrintable(result.stacks));
    QCOMPARE(m_process->state(), QProcess::Running);
}

void StacksTest::aDumpIsAFileOfItsOwn()
{
    const RunState run = running(handMadeRun());
    StackKeeper keeper(m_folder->path());
    QCOMPARE(keeper.ask({3}, run).asked, QList<int>{3});
    QVERIFY(keeper.ask({3}, run).asked.isEmpty()); // Its answer is due.
    const events::StacksDumped dumped{.process = 3, .stacks = u"one"_s, .file = u"../../elsewhere"_s};
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const auto first = keeper.keep(dumped, now, run);
    const auto second = keeper.keep(dumped, now, run);
    QVERIFY2(first.file.startsWith(u"stacks/"_s) && first.file.endsWith(u"-rank-3.txt"_s),
             qPrintable(first.file));
    QVERIFY(first.file != second.file);
    QVERIFY(first.stacks.isEmpty());
    const QFile file(m_folder->filePath(second.file));
    QCOMPARE(file.size(), 3);
    QCOMPARE(file.permissions() &
                 (QFile::ReadGroup | QFile::ReadOther | QFile::WriteGroup | QFile::WriteOther),
             QFile::Permissions());
    QCOMPARE(QFile::permissions(m_folder->filePath(u"stacks"_s)) & (QFile::ReadGroup | QFile::ReadOther),
             QFile::Permissions());
    QCOMPARE(keeper.ask({3}, run).asked, QList<int>{3});
}

void StacksTest::whoCannotBeAskedIsRefusedAtOnce()
{
    RunState run = running(handMadeRun(2, 8, 2));
    run.ranks[1].phase = RankPhase::Exited;
    run.ranks[2].phase = RankPhase::Waiting;
    run.unreached.insert(u"10.0.0.2"_s, u"gone"_s);
    StackKeeper keeper(m_folder->path());
    const StackKeeper::Request request = keeper.ask({0, 1, 2, 8, 99, -1}, run);
    QCOMPARE(request.asked, QList<int>{0});
    QCOMPARE(request.note, u"Stacks of rank 0 requested."_s);
    QCOMPARE(request.refusals.size(), 3);
    QVERIFY(request.refusals[0].text().text().contains(u"rank 1: it has ended"_s));
    QVERIFY(request.refusals[1].text().text().contains(u"rank 2: it has not been started"_s));
    QVERIFY2(request.refusals[2].text().text().contains(
                 u"no connection to 10.0.0.2. Run this there: py-spy dump --pid 1008"_s),
             qPrintable(request.refusals[2].text()));
    const auto given = keeper.giveUp(u"10.0.0.1"_s, Sentence(u"it is gone."_s), run);
    QCOMPARE(given.size(), 1);
    QCOMPARE(given[0].process(), 0);
}

} // namespace tst_stacks

RANKDECK_TEST(tst_stacks, StacksTest)
#include "tst_stacks.moc"

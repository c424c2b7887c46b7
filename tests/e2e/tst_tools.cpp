#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QStandardPaths>

namespace tst_tools
{

using namespace rankdeck;

/// Debuggers that are attached to ranks that run, with the real programs.
class ToolsTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void gdbLooksAtARankAndLetsItGoOn();
    void aToolThatIsAttachedIsCalledByTheSameCommand();
    void aToolEndsWithItsRun_data();
    void aToolEndsWithItsRun();
    void aToolEndsWithItsRank();
    void straceShowsWhatTheRankCalls();
    void aPySpyThatPrintsItsArgumentsStandsInForPySpy();
    void aToolThatIsNotInstalledIsNamedWithItsPackage();
    void whoHasEndedIsNotLookedAt();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    struct Screen {
        QProcess process;
        QByteArray text;
        bool shows(const char *words) { return (text += process.readAllStandardOutput()).contains(words); }
    };

    std::unique_ptr<Screen> debug(int rank, const char *tool) const
    {
        auto screen = std::make_unique<Screen>();
        screen->process.start(buildPath("bin/rankdeckctl"), {u"debug"_s, m_directory, u"--rank"_s,
                                                             QString::number(rank), QLatin1String(tool)});
        return screen;
    }
    void launchPrinting(const QStringList &options = {})
    {
        launch(options, {u"python3"_s, u"-uc"_s,
                         u"import time\nfor i in range(10**6): print('step', i); time.sleep(0.1)"_s});
    }
    bool mayTrace() const
    {
        QProcess gdb;
        gdb.start(u"gdb"_s, {u"-nx"_s, u"-batch"_s, u"-p"_s, QString::number(rank(0))});
        const Outcome outcome = outcomeOf(gdb);
        return !outcome.err.contains("not permitted");
    }
    bool isInstalled(const char *program) const
    {
        return !QStandardPaths::findExecutable(QLatin1String(program)).isEmpty();
    }
    QString makeTool(const char *name, const char *script)
    {
        [&] {
            QVERIFY(QDir().mkpath(m_home->path("bin")));
        }();
        QFile tool(m_home->path("bin/") + QLatin1String(name));
        [&] {
            QVERIFY(tool.open(QIODevice::WriteOnly));
        }();
        tool.write(script);
        tool.close();
        tool.setPermissions(QFile::ReadOwner | QFile::ExeOwner);
        return m_home->path("bin");
    }
};

void ToolsTest::gdbLooksAtARankAndLetsItGoOn()
{
    if (!isInstalled("gdb"))
        QSKIP("gdb is not installed");
    launchPrinting({u"--stall-after"_s, u"2"_s});
    if (!mayTrace())
        QSKIP("this place permits no ptrace");
    const auto screen = debug(2, "gdb");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("(gdb) "), programLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(state().ranks.at(2).hold, Hold::Traced, programLimitMs);
    screen->text.clear();
    screen->process.write("info threads\n");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("python3"), programLimitMs);
    QCOMPARE(state().standstill(), u"Rank 2 is paused by a debugger."_s);
    QVERIFY(!state().silentSince(2).isValid());
    const QByteArray before = logOf(2);
    screen->process.write("detach\n");
    QTRY_VERIFY_WITH_TIMEOUT(logOf(2).size() > before.size(), programLimitMs);
    QTRY_COMPARE_WITH_TIMEOUT(state().ranks.at(2).hold, Hold::None, programLimitMs);
    screen->process.write("quit\n");
    QCOMPARE(outcomeOf(screen->process).code, 0);
    const RunState after = state();
    QCOMPARE(after.count(RankPhase::Running), ranks);
    QCOMPARE(after.tools.size(), std::size_t(1));
    QCOMPARE(after.tools[0].process, 2);
    QCOMPARE(after.tools[0].state.phase, RankPhase::Exited);
    QCOMPARE(after.plan->worldSize(), ranks);
    QVERIFY(fileText(after.tools[0].plan.logFile).contains("info threads"));
    QVERIFY(after.tools[0].plan.logFile.startsWith(m_directory + u"/tools/gdb-rank-2-"_s));
    QVERIFY(after.notes.contains(u"gdb is attached to rank 2."_s));
}

void ToolsTest::aToolThatIsAttachedIsCalledByTheSameCommand()
{
    const QString bin =
        makeTool("strace", "#!/bin/sh\necho strace \"$@\"\nwhile read line; do echo \"got $line\"; done\n");
    launchPrinting({u"--env"_s, u"PATH=%1:%2"_s.arg(bin, qEnvironmentVariable("PATH"))});
    auto screen = debug(1, "strace");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("strace -f -p"), programLimitMs);
    screen->process.kill();
    screen->process.waitForFinished();
    QCOMPARE(state().tools.at(0).state.phase, RankPhase::Running); // It does not need the one who asked.
    screen = debug(1, "strace");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("strace -f -p"), programLimitMs);
    screen->process.write("hello\n");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("got hello"), programLimitMs);
    QCOMPARE(state().tools.size(), std::size_t(1));
    screen->process.write("\x04"); // The end of what is typed.
    QCOMPARE(outcomeOf(screen->process).code, 0);
}

void ToolsTest::aToolEndsWithItsRun_data()
{
    QTest::addColumn<bool>("kill");
    QTest::newRow("stopped") << false;
    QTest::newRow("killed") << true;
}

void ToolsTest::aToolEndsWithItsRun()
{
    QFETCH(bool, kill);
    if (!isInstalled("gdb"))
        QSKIP("gdb is not installed");
    launchPrinting();
    if (!mayTrace())
        QSKIP("this place permits no ptrace");
    const auto screen = debug(0, "gdb");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("(gdb) "), programLimitMs);
    QStringList stop{u"stop"_s, m_directory};
    if (kill)
        stop << u"--kill"_s;
    QCOMPARE(ctl(stop).code, 0);
    QVERIFY(state().phase == RunPhase::Stopped);
    QVERIFY(state().tools.at(0).state.status);
    outcomeOf(screen->process);
    QTRY_VERIFY_WITH_TIMEOUT(processesOf(m_home->path("state")).isEmpty(), programLimitMs);
}

void ToolsTest::aToolEndsWithItsRank()
{
    const QString bin = makeTool("strace", "#!/bin/sh\necho strace \"$@\"\nsleep 1000 & wait\n");
    launchPrinting({u"--env"_s, u"PATH=%1:%2"_s.arg(bin, qEnvironmentVariable("PATH"))});
    const auto screen = debug(3, "strace");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("strace -f -p"), programLimitMs);
    QCOMPARE(ctl({u"stop"_s, m_directory, u"--rank"_s, u"3"_s}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(state().tools.at(0).state.status, programLimitMs);
    QCOMPARE(state().count(RankPhase::Running), ranks - 1);
    outcomeOf(screen->process);
}

void ToolsTest::straceShowsWhatTheRankCalls()
{
    if (!isInstalled("strace"))
        QSKIP("strace is not installed");
    launchPrinting();
    if (!mayTrace())
        QSKIP("this place permits no ptrace");
    const auto screen = debug(1, "strace");
    QTRY_VERIFY_WITH_TIMEOUT(screen->shows("write(1, \"step"), programLimitMs);
    screen->process.write("\x03");
    outcomeOf(screen->process);
    QTRY_VERIFY_WITH_TIMEOUT(state().tools.at(0).state.status, programLimitMs);
    QCOMPARE(state().count(RankPhase::Running), ranks);
}

void ToolsTest::aPySpyThatPrintsItsArgumentsStandsInForPySpy()
{
    const QString bin = makeTool("py-spy", "#!/bin/sh\necho \"py-spy $*\"\nexit 4\n");
    launchPrinting({u"--env"_s, u"PATH=%1:%2"_s.arg(bin, qEnvironmentVariable("PATH"))});
    const auto dumped = ctl({u"debug"_s, m_directory, u"--rank"_s, u"1"_s, u"py-spy-dump"_s});
    QCOMPARE(dumped.code, 4);
    const QByteArray pid = QByteArray::number(rank(1));
    QCOMPARE(dumped.out, QByteArray("py-spy dump --pid " + pid + "\r\n"));
    const auto top = ctl({u"debug"_s, m_directory, u"--rank"_s, u"1"_s, u"py-spy-top"_s});
    QCOMPARE(top.out, QByteArray("py-spy top --pid " + pid + "\r\n"));
    QCOMPARE(state().count(RankPhase::Running), ranks); // A tool that fails is no failure.
    QVERIFY(!state().failure);
}

void ToolsTest::aToolThatIsNotInstalledIsNamedWithItsPackage()
{
    launch({u"--env"_s, u"PATH=/nowhere"_s}, {u"/bin/sleep"_s, u"1000"_s});
    const Outcome refused = ctl({u"debug"_s, m_directory, u"--rank"_s, u"1"_s, u"py-spy-top"_s});
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("py-spy is not installed on "), refused.err.constData());
    QVERIFY2(refused.err.contains("pip install py-spy"), refused.err.constData());
    QCOMPARE(state().count(RankPhase::Running), ranks);
}

void ToolsTest::whoHasEndedIsNotLookedAt()
{
    launch({}, {u"sh"_s, u"-c"_s, u"[ $RANK = 1 ] && { sleep 2; exit 0; }; exec sleep 1000"_s});
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.at(1).status, programLimitMs);
    const Outcome refused = ctl({u"debug"_s, m_directory, u"--rank"_s, u"1"_s});
    QCOMPARE(refused.code, 1);
    QVERIFY2(refused.err.contains("Cannot attach to rank 1: it has ended"), refused.err.constData());
}

void ToolsTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    const QString run = u"last"_s;
    const QString rank = u"--rank"_s;
    QTest::newRow("no rank") << QStringList{run} << QByteArray("a tool attaches to one rank");
    QTest::newRow("two ranks") << QStringList{run, rank, u"0,1"_s}
                               << QByteArray("a tool attaches to one rank");
    QTest::newRow("no such rank") << QStringList{run, rank, u"9"_s}
                                  << QByteArray("this run started no rank 9 here");
    QTest::newRow("no such tool") << QStringList{run, rank, u"0"_s, u"edb"_s}
                                  << QByteArray("unknown tool \"edb\"");
    QTest::newRow("no run") << QStringList{u"nobody"_s, rank, u"0"_s} << QByteArray("nobody");
}

void ToolsTest::wrongUseIsOneSentence()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    launch({}, {u"sleep"_s, u"1000"_s});
    verifyOneSentence(ctl(QStringList{u"debug"_s} + arguments), words);
}

} // namespace tst_tools

RANKDECK_TEST(tst_tools, ToolsTest)
#include "tst_tools.moc"

#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <QStandardPaths>

namespace tst_wrappers
{

using namespace rankdeck;

/// Ranks that debuggers and profilers start, with the real programs.
class WrappersTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void exitCodesAndSignalsPassThrough_data();
    void exitCodesAndSignalsPassThrough();
    void straceWritesIntoTheRunDirectory();
    void valgrindWritesIntoTheRunDirectory();
    void gdbRunsAProgramAndIsTypedTo();
    void gdbWaitsForCommands();
    void aPySpyThatPrintsItsArgumentsStandsInForPySpy();
    void nothingIsLeftOfAWrappedRank();
    void aWrapperThatIsNotInstalledIsOneSentence();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    QStringList shell(const char *script) const { return {u"sh"_s, u"-c"_s, QLatin1String(script)}; }
    /// To its end.
    Outcome run(const QStringList &options, const QStringList &command)
    {
        const Outcome outcome = ctl(QStringList{u"processes"_s, u"--nproc"_s, u"2"_s, u"--master-port"_s,
                                                QString::number(freePort())} +
                                    options + QStringList{u"--"_s} + command);
        const auto found = findRun(u"last"_s);
        m_directory = found ? *found : QString();
        return outcome;
    }
    static QStringList wrapped(const char *wrapper) { return {u"--wrap"_s, QLatin1String(wrapper)}; }
    void type(int rank, const char *keys)
    {
        QProcess attach;
        attach.start(buildPath("bin/rankdeckctl"),
                     {u"attach"_s, m_directory, u"--rank"_s, u"0,%1"_s.arg(rank), u"--tail"_s, u"0"_s});
        QVERIFY(attach.waitForStarted());
        attach.write(keys);
        attach.waitForBytesWritten();
        // Only what has been typed is answered.
        QByteArray answer;
        QTRY_VERIFY_WITH_TIMEOUT(!(answer += attach.readAllStandardOutput()).isEmpty(), programLimitMs);
        attach.kill();
        attach.waitForFinished();
    }
    QByteArray wrapFile(const char *name) const
    {
        return fileText(m_directory + u"/wrap/"_s + QLatin1String(name));
    }
};

#define SKIP_WITHOUT(program)                                                                                \
    if (QStandardPaths::findExecutable(QLatin1String(program)).isEmpty())                                    \
    QSKIP(qPrintable(QLatin1String(program) + u" is not installed"_s))

void WrappersTest::exitCodesAndSignalsPassThrough_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("wrapper");
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("code");
    for (const char *program : {"strace", "valgrind"}) {
        const QByteArray wrapper = QByteArray("1:") + program;
        QTest::addRow("%s, code", program) << QByteArray(program) << wrapper << QByteArray("exit 7") << 7;
        QTest::addRow("%s, signal", program)
            << QByteArray(program) << wrapper << QByteArray("kill -USR1 $$; sleep 1000") << 128 + 10;
    }
    // gdb has its own end: what the program's was is only in what it prints.
    const QByteArray gdb = "1:gdb -nx -batch -ex run --args";
    QTest::newRow("gdb, code") << QByteArray("gdb") << gdb << QByteArray("exit 7") << 0;
    QTest::newRow("env, code") << QByteArray("env") << QByteArray("1:env A=b") << QByteArray("exit 7") << 7;
}

void WrappersTest::exitCodesAndSignalsPassThrough()
{
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, wrapper);
    QFETCH(QByteArray, script);
    QFETCH(int, code);
    SKIP_WITHOUT(program);
    const QByteArray only1 = "[ $RANK = 0 ] && exit 0; " + script;
    const Outcome outcome = run(wrapped(wrapper.constData()), shell(only1.constData()));
    QVERIFY2(outcome.code == code, outcome.err.constData());
}

void WrappersTest::straceWritesIntoTheRunDirectory()
{
    SKIP_WITHOUT("strace");
    const Outcome outcome = run(wrapped("0:strace"), shell("echo hello $RANK"));
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(logOf(0).contains("hello 0"));
    QVERIFY(logOf(1).contains("hello 1"));
    QVERIFY2(wrapFile("rank-0.strace").contains("write(1, \"hello 0"), wrapFile("rank-0.strace").constData());
    QVERIFY(!QFile::exists(m_directory + u"/wrap/rank-1.strace"_s));
    const RunState ended = state();
    QCOMPARE(ended.plan->processes[0].argv.mid(0, 3), (QStringList{u"strace"_s, u"-f"_s, u"-o"_s}));
    QVERIFY(!ended.plan->processes[0].hasTerminal);
}

void WrappersTest::valgrindWritesIntoTheRunDirectory()
{
    SKIP_WITHOUT("valgrind");
    const Outcome outcome = run(wrapped("all:valgrind"), {u"true"_s});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QVERIFY(wrapFile("rank-0.valgrind").contains("ERROR SUMMARY"));
    QVERIFY(wrapFile("rank-1.valgrind").contains("ERROR SUMMARY"));
}

void WrappersTest::gdbRunsAProgramAndIsTypedTo()
{
    SKIP_WITHOUT("gdb");
    launch(wrapped("1:gdb-run"), shell("[ $RANK = 1 ] && exec sleep 2; exec sleep 1000"));
    QTRY_VERIFY_WITH_TIMEOUT(logOf(1).contains("exited normally"), programLimitMs);
    QVERIFY(state().plan->processes[1].hasTerminal);
    QVERIFY(!state().plan->processes[0].hasTerminal);
    QVERIFY(state().notes.contains(u"Rank 1 gets a terminal, which its wrapper needs."_s));
    QCOMPARE(state().count(RankPhase::Running), ranks); // It waits for what is to be done next.
}

void WrappersTest::gdbWaitsForCommands()
{
    SKIP_WITHOUT("gdb");
    launch(wrapped("all:gdb -nx -q --args"), shell("echo trained; exit 3"));
    QTRY_VERIFY_WITH_TIMEOUT(logOf(1).contains("(gdb) "), programLimitMs);
    QVERIFY(!logOf(1).contains("trained"));
    type(1, "run\n");
    QTRY_VERIFY_WITH_TIMEOUT(logOf(1).contains("trained"), programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(logOf(1).contains("exited with code 03"), programLimitMs);
}

void WrappersTest::aPySpyThatPrintsItsArgumentsStandsInForPySpy()
{
    QVERIFY(QDir().mkpath(m_home->path("bin")));
    QFile tool(m_home->path("bin/py-spy"));
    QVERIFY(tool.open(QIODevice::WriteOnly));
    tool.write("#!/bin/sh\necho \"py-spy $*\"\n");
    tool.close();
    QVERIFY(tool.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
    const Outcome outcome =
        run(wrapped("0:py-spy") + QStringList{u"--env"_s, u"PATH=%1:%2"_s.arg(m_home->path("bin"),
                                                                              qEnvironmentVariable("PATH"))},
            {u"python3"_s, u"-c"_s, u"print(1)"_s});
    QVERIFY2(outcome.code == 0, outcome.err.constData());
    QCOMPARE(logOf(0), QByteArray("py-spy record -o " + m_directory.toUtf8() +
                                  "/wrap/rank-0.svg -- python3 -c print(1)\n"));
}

void WrappersTest::nothingIsLeftOfAWrappedRank()
{
    SKIP_WITHOUT("strace");
    launch(wrapped("all:strace"), shell("sleep 1000 & wait"));
    QTRY_VERIFY_WITH_TIMEOUT(wrapFile("rank-3.strace").contains("execve"), programLimitMs);
    QCOMPARE(ctl({u"stop"_s, m_directory}).code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(processesOf(m_home->path("state")).isEmpty(), programLimitMs);
}

void WrappersTest::aWrapperThatIsNotInstalledIsOneSentence()
{
    verifyOneSentence(run(wrapped("0:no-such-tool -x"), {u"true"_s}),
                      "--wrap: cannot run the wrapper of rank 0: no-such-tool");
    QVERIFY(!findRun(u"last"_s));
}

void WrappersTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QByteArray>("wrapper");
    QTest::addColumn<QByteArray>("words");
    QTest::newRow("no ranks") << QByteArray("gdb") << QByteArray("\"gdb\" is not RANKS:COMMAND");
    QTest::newRow("no command") << QByteArray("0:") << QByteArray("no command in \"0:\"");
    QTest::newRow("a quote") << QByteArray("0:gdb 'x") << QByteArray("--wrap");
    QTest::newRow("no such rank") << QByteArray("2:gdb") << QByteArray("no rank 2 among 2");
}

void WrappersTest::wrongUseIsOneSentence()
{
    QFETCH(QByteArray, wrapper);
    QFETCH(QByteArray, words);
    verifyOneSentence(run(wrapped(wrapper.constData()), {u"true"_s}), words);
}

} // namespace tst_wrappers

RANKDECK_TEST(tst_wrappers, WrappersTest)
#include "tst_wrappers.moc"

#include "run/record/runstate.h"
#include "support/launchedrun.h"
#include "support/testmain.h"

#include <csignal>

namespace tst_signals
{

using namespace rankdeck;

/// Signals that somebody sends to ranks of a run, and ranks that somebody holds, with real processes.
class SignalsTest : public LaunchedRun
{
    Q_OBJECT

private Q_SLOTS:
    void init() { makeHome(); }
    void cleanup() { endRun(); }
    void eachSignalReachesTheChosenRanks_data();
    void eachSignalReachesTheChosenRanks();
    void allRanksAreMeantWhereNoneAreNamed();
    void anEndBySignalIsAFailureThatSaysSo_data();
    void anEndBySignalIsAFailureThatSaysSo();
    void anInterruptOfATerminalIsForItsForeground();
    void aRankIsPausedAndGoesOn();
    void whoIsHeldHoldsUpTheOthers();
    void whoIsPausedEndsWithTheRun();
    void aRankThatHasEndedGetsNothing();
    void wrongUseIsOneSentence_data();
    void wrongUseIsOneSentence();

private:
    Outcome send(const char *signal, const char *chosen = nullptr)
    {
        QStringList arguments{u"signal"_s, m_directory, QLatin1String(signal)};
        if (chosen)
            arguments << u"--rank"_s << QLatin1String(chosen);
        return ctl(arguments);
    }
    /// Says what it gets and goes on.
    void launchListener(const QStringList &options = {})
    {
        launch(options, {u"sh"_s, u"-c"_s,
                         u"for s in INT TERM USR1 USR2 CONT; do trap \"echo got $s\" $s; done; "
                         "echo ready; while :; do sleep 0.1; done"_s});
        for (int index = 0; index < ranks; ++index)
            QTRY_VERIFY_WITH_TIMEOUT(logOf(index).contains("ready"), programLimitMs);
    }
    Hold holdOf(int index) const { return state().ranks.at(std::size_t(index)).hold; }
};

void SignalsTest::eachSignalReachesTheChosenRanks_data()
{
    QTest::addColumn<QByteArray>("given");
    QTest::addColumn<QByteArray>("name");
    QTest::newRow("INT") << QByteArray("INT") << QByteArray("INT");
    QTest::newRow("TERM") << QByteArray("SIGTERM") << QByteArray("TERM");
    QTest::newRow("USR1") << QByteArray("usr1") << QByteArray("USR1");
    QTest::newRow("USR2") << QByteArray("12") << QByteArray("USR2");
    QTest::newRow("CONT") << QByteArray("CONT") << QByteArray("CONT");
}

void SignalsTest::eachSignalReachesTheChosenRanks()
{
    QFETCH(QByteArray, given);
    QFETCH(QByteArray, name);
    launchListener();
    const Outcome sent = send(given.constData(), "1,3");
    QVERIFY2(sent.code == 0, sent.err.constData());
    const QByteArray words = "got " + name + '\n';
    QTRY_VERIFY_WITH_TIMEOUT(logOf(1).contains(words) && logOf(3).contains(words), programLimitMs);
    QVERIFY(!logOf(0).contains("got") && !logOf(2).contains("got"));
    QVERIFY(
        state().notes.contains(u"SIG%1 is sent to ranks 1,3 on request."_s.arg(QString::fromLatin1(name))));
    const auto told = events<events::SignalSent>();
    QCOMPARE(told.size(), 2);
    QCOMPARE(told.first().pid, qint64(rank(1)));
    QCOMPARE(state().count(RankPhase::Running), ranks);
}

void SignalsTest::allRanksAreMeantWhereNoneAreNamed()
{
    launchListener();
    QCOMPARE(send("USR1").code, 0);
    for (int index = 0; index < ranks; ++index)
        QTRY_VERIFY_WITH_TIMEOUT(logOf(index).contains("got USR1"), programLimitMs);
    QCOMPARE(send("USR2", "all").code, 0);
    for (int index = 0; index < ranks; ++index)
        QTRY_VERIFY_WITH_TIMEOUT(logOf(index).contains("got USR2"), programLimitMs);
}

void SignalsTest::anEndBySignalIsAFailureThatSaysSo_data()
{
    QTest::addColumn<QByteArray>("signal");
    QTest::addColumn<int>("number");
    QTest::newRow("TERM") << QByteArray("TERM") << SIGTERM;
    QTest::newRow("KILL") << QByteArray("KILL") << SIGKILL;
    QTest::newRow("USR1") << QByteArray("USR1") << SIGUSR1;
}

void SignalsTest::anEndBySignalIsAFailureThatSaysSo()
{
    QFETCH(QByteArray, signal);
    QFETCH(int, number);
    launch({}, {u"sleep"_s, u"1000"_s});
    QCOMPARE(send(signal.constData(), "2").code, 0);
    const Outcome waited = ctl({u"wait"_s, m_directory});
    QCOMPARE(waited.code, 128 + number);
    const RunState ended = state();
    QVERIFY(ended.phase == RunPhase::Failed);
    QVERIFY(ended.failure);
    QCOMPARE(ended.failure->rank.value, 2);
    QCOMPARE(ended.failure->status.requestedSignal, number);
    const Outcome report = ctl({u"report"_s, m_directory});
    QVERIFY2(report.out.contains("Rank 2"), report.out.constData());
    QVERIFY2(report.out.contains("(SIG" + signal + "), which was sent to it on request"),
             report.out.constData());
    QVERIFY2(!report.out.contains("memory"), report.out.constData());
}

void SignalsTest::anInterruptOfATerminalIsForItsForeground()
{
    // An interactive shell gives what it runs a process group of its own.
    launch({u"--tty"_s, u"0"_s},
           {u"bash"_s, u"--norc"_s, u"-ic"_s,
            u"trap 'echo shell got it' INT; echo ready; "
            "python3 -c \"import time\ntry:\n  print('in', flush=True); time.sleep(1000)\n"
            "except KeyboardInterrupt: print('interrupted', flush=True)\n"
            "time.sleep(1000)\""_s});
    QTRY_VERIFY_WITH_TIMEOUT(logOf(0).contains("in\r\n"), programLimitMs);
    QCOMPARE(send("INT", "0").code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(logOf(0).contains("interrupted"), programLimitMs);
    QCOMPARE(state().count(RankPhase::Running), ranks);
}

void SignalsTest::aRankIsPausedAndGoesOn()
{
    launchListener();
    QCOMPARE(send("STOP", "1").code, 0);
    QTRY_COMPARE_WITH_TIMEOUT(holdOf(1), Hold::Suspended, programLimitMs);
    QCOMPARE(state().standstill(), u"Rank 1 is paused (SIGSTOP)."_s);
    QTRY_VERIFY_WITH_TIMEOUT(ctl({u"list"_s}).out.contains("Rank 1 is paused (SIGSTOP)."), programLimitMs);
    QProcess waiting;
    waiting.start(buildPath("bin/rankdeckctl"), {u"wait"_s, m_directory});
    QByteArray said;
    QTRY_VERIFY_WITH_TIMEOUT((said += waiting.readAllStandardError()).contains("Rank 1 is paused"),
                             programLimitMs);
    QCOMPARE(send("CONT", "1").code, 0);
    QTRY_COMPARE_WITH_TIMEOUT(holdOf(1), Hold::None, programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT((said += waiting.readAllStandardError()).contains("No rank is paused any more."),
                             programLimitMs);
    waiting.kill();
    waiting.waitForFinished();
    // Whoever does it.
    QCOMPARE(::kill(rank(2), SIGSTOP), 0);
    QTRY_COMPARE_WITH_TIMEOUT(holdOf(2), Hold::Suspended, programLimitMs);
    QCOMPARE(::kill(rank(2), SIGCONT), 0);
    QTRY_COMPARE_WITH_TIMEOUT(holdOf(2), Hold::None, programLimitMs);
    QCOMPARE(events<events::ProcessHeld>().size(), 2);
}

void SignalsTest::whoIsHeldHoldsUpTheOthers()
{
    // All wait for the one that is farthest behind, as in a collective operation.
    const QString script =
        u"i=0; while :; do i=$((i+1)); echo $i > \"$STEPS/$RANK\"; echo \"step $i/100000 loss: 1\"; "
        "for r in 0 1 2 3; do until [ \"$(cat \"$STEPS/$r\" 2>/dev/null || echo 0)\" -ge $i ]; do "
        "sleep 0.1; done; done; sleep 0.1; done"_s;
    QVERIFY(QDir().mkpath(m_home->path("steps")));
    launch({u"--stall-after"_s, u"2"_s, u"--env"_s, u"STEPS="_s + m_home->path("steps")},
           {u"sh"_s, u"-c"_s, script});
    QTRY_VERIFY_WITH_TIMEOUT(logOf(3).count('\n') > 20, programLimitMs);
    QCOMPARE(send("STOP", "3").code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(state().stall, programLimitMs);
    const RunState held = state();
    QVERIFY2(held.stall->sentence.text().contains(u"the others wait for it"_s),
             qPrintable(held.stall->sentence));
    QVERIFY2(held.stall->sentence.text().startsWith(u"Rank 3 has been paused "_s),
             qPrintable(held.stall->sentence));
    for (int index = 0; index < ranks; ++index)
        QCOMPARE(held.silentSince(index).isValid(), index != 3);
    QCOMPARE(held.standstill(), u"Rank 3 is paused (SIGSTOP). Ranks 0-2 seem to wait for it."_s);
    QCOMPARE(send("CONT", "3").code, 0);
    QTRY_VERIFY_WITH_TIMEOUT(!state().stall, programLimitMs);
    QTRY_VERIFY_WITH_TIMEOUT(logOf(0).count('\n') > 30, programLimitMs);
    QVERIFY(events<events::Stalled>().size() <= 1);
}

void SignalsTest::whoIsPausedEndsWithTheRun()
{
    launch({}, {u"sleep"_s, u"1000"_s});
    QCOMPARE(send("STOP").code, 0);
    QTRY_COMPARE_WITH_TIMEOUT(holdOf(3), Hold::Suspended, programLimitMs);
    QCOMPARE(ctl({u"stop"_s, m_directory}).code, 0);
    QVERIFY(state().phase == RunPhase::Stopped);
    QTRY_VERIFY_WITH_TIMEOUT(processesOf(m_home->path("state")).isEmpty(), programLimitMs);
}

void SignalsTest::aRankThatHasEndedGetsNothing()
{
    launch({u"--rank-env"_s, u"1:GO=1"_s},
           {u"sh"_s, u"-c"_s, u"[ -z \"$GO\" ] || { sleep 2; exit; }; exec sleep 1000"_s});
    QTRY_VERIFY_WITH_TIMEOUT(state().ranks.at(1).status, programLimitMs);
    const Outcome sent = send("TERM", "1");
    QCOMPARE(sent.code, 1);
    QVERIFY2(sent.err.contains("SIGTERM was not sent to rank 1: it has ended."), sent.err.constData());
}

void SignalsTest::wrongUseIsOneSentence_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("words");
    const QString run = u"last"_s;
    const QString usr1 = u"USR1"_s;
    QTest::newRow("no signal") << QStringList{run} << QByteArray("");
    QTest::newRow("another signal") << QStringList{run, u"SEGV"_s}
                                    << QByteArray("\"SEGV\" is not a signal that can be sent");
    QTest::newRow("zero") << QStringList{run, u"0"_s} << QByteArray("\"0\" is not a signal that can be sent");
    QTest::newRow("no run") << QStringList{u"nobody"_s, usr1} << QByteArray("nobody");
    QTest::newRow("no such rank") << QStringList{run, usr1, u"--rank"_s, u"9"_s}
                                  << QByteArray("this run started no rank 9 here");
    QTest::newRow("no ranks") << QStringList{run, usr1, u"--rank"_s, u"x"_s}
                              << QByteArray("\"x\" does not name ranks");
}

void SignalsTest::wrongUseIsOneSentence()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, words);
    launch({}, {u"sleep"_s, u"1000"_s});
    verifyOneSentence(ctl(QStringList{u"signal"_s} + arguments), words);
}

} // namespace tst_signals

RANKDECK_TEST(tst_signals, SignalsTest)
#include "tst_signals.moc"

#include "run/record/runrequests.h"
#include "run/workers/workergroup.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_sentsignals
{

using namespace rankdeck;

class SentSignalsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void requestsRoundTrip();
    void signalsHaveNamesAndNumbers();
    void anEndSaysWhichSignalWasSentBefore_data();
    void anEndSaysWhichSignalWasSentBefore();
    void holdsAreToldOnce();
    void aDebuggerThatLooksInIsNotToldOf();
    void whoIsHeldAgainAndAgainIsToldOfNowAndThen();
};

void SentSignalsTest::requestsRoundTrip()
{
    const SignalRequest request{SIGUSR2, {0, 1, 2, 7}};
    QCOMPARE(toLine(request), QByteArray(R"({"do":"signal","processes":"0-2,7","signal":12})"));
    QCOMPARE(clientMessageFrom(toLine(request)), std::optional(ClientMessage(request)));
    for (const char *line : {"signal SIGUSR1 3", R"({"do": "signal"})", R"({"do": "signal", "signal": 10})",
                             R"({"do": "signal", "signal": 10, "processes": ""})",
                             R"({"do": "signal", "signal": 11, "processes": "3"})",
                             R"({"do": "signal", "signal": "USR1", "processes": "3"})",
                             R"({"do": "signal", "signal": 10, "processes": "x"})",
                             R"({"do": "signals", "signal": 10, "processes": "3"})"})
        QVERIFY2(!clientMessageFrom(line), line);
}

void SentSignalsTest::signalsHaveNamesAndNumbers()
{
    for (const char *text : {"KILL", "SIGKILL", "sigkill", "9"})
        QCOMPARE(sendableSignal(QLatin1String(text)), SIGKILL);
    for (const char *text : {"", "SIG", "SEGV", "SIGSEGV", "11", "0", "-9", "09", "KILL "})
        QVERIFY2(sendableSignal(QLatin1String(text)) == 0, text);
}

void SentSignalsTest::anEndSaysWhichSignalWasSentBefore_data()
{
    QTest::addColumn<int>("sent");
    QTest::addColumn<int>("secondsLater");
    QTest::addColumn<bool>("isSignalled");
    QTest::addColumn<int>("number");
    QTest::addColumn<int>("told");
    QTest::newRow("by it") << SIGKILL << 1 << true << SIGKILL << SIGKILL;
    QTest::newRow("by it, much later") << SIGTERM << 1000 << true << SIGTERM << SIGTERM;
    QTest::newRow("by another") << SIGUSR1 << 1 << true << SIGSEGV << 0;
    QTest::newRow("a shell's exit code") << SIGTERM << 1000 << false << 143 << SIGTERM;
    QTest::newRow("fails soon after") << SIGTERM << 30 << false << 1 << SIGTERM;
    QTest::newRow("fails long after") << SIGTERM << 61 << false << 1 << 0;
    QTest::newRow("ends well") << SIGTERM << 1 << false << 0 << 0;
    QTest::newRow("only held") << SIGSTOP << 1 << false << 1 << 0;
}

void SentSignalsTest::anEndSaysWhichSignalWasSentBefore()
{
    QFETCH(int, sent);
    QFETCH(int, secondsLater);
    QFETCH(bool, isSignalled);
    QFETCH(int, number);
    QFETCH(int, told);
    SentSignals signals;
    const auto when = SentSignals::Clock::now();
    signals.note(3, sent, when);
    ExitStatus status{isSignalled ? ExitStatus::Kind::Signalled : ExitStatus::Kind::Exited, number};
    signals.explain(2, status, when);
    QCOMPARE(status.requestedSignal, 0);
    signals.explain(3, status, when + std::chrono::seconds(secondsLater));
    QCOMPARE(status.requestedSignal, told);
}

void SentSignalsTest::holdsAreToldOnce()
{
    HoldWatch watch;
    QVERIFY(!watch.take(3, 100, 'S', 0));
    const auto held = watch.take(3, 100, 'T', 1000);
    QVERIFY(held && held->is<events::ProcessHeld>());
    QCOMPARE(held->process(), 3);
    QVERIFY(held->as<events::ProcessHeld>()->hold == Hold::Suspended);
    QVERIFY(!watch.take(3, 100, 'T', 2000));
    const auto released = watch.take(3, 100, 'R', 3000);
    QVERIFY(released && released->is<events::ProcessReleased>());
    QVERIFY(!watch.take(3, 100, 'S', 4000));
}

void SentSignalsTest::aDebuggerThatLooksInIsNotToldOf()
{
    HoldWatch watch;
    QVERIFY(!watch.take(0, 100, 't', 0));
    QVERIFY(!watch.take(0, 100, 'S', 1000));
    QVERIFY(!watch.take(0, 100, 't', 2000));
    const auto held = watch.take(0, 100, 't', 3000);
    QVERIFY(held);
    QVERIFY(held->as<events::ProcessHeld>()->hold == Hold::Traced);
}

void SentSignalsTest::whoIsHeldAgainAndAgainIsToldOfNowAndThen()
{
    HoldWatch watch;
    int told = 0;
    constexpr int seconds = 3600;
    for (int second = 0; second < seconds; ++second)
        told += watch.take(0, 100, second % 2 == 0 ? 'T' : 'R', second * 1000LL) ? 1 : 0;
    QVERIFY2(told >= 60 && told <= 71, qPrintable(QString::number(told)));
    // The last word is right, if late.
    for (int second = 0; second < 70; ++second)
        watch.take(0, 100, 'R', (seconds + second) * 1000LL);
    QVERIFY(watch.take(0, 100, 'T', (seconds + 600) * 1000LL));
}

} // namespace tst_sentsignals

RANKDECK_TEST(tst_sentsignals, SentSignalsTest)
#include "tst_sentsignals.moc"

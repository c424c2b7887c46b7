#include "launch/plan/launchplan.h"
#include "run/record/runevent.h"
#include "run/record/runstate.h"
#include "support/testmain.h"

#include <QTest>

namespace tst_standstill
{

using namespace rankdeck;

class StandstillTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void aRunThatGoesOnHasNone();
    void whoWaitsInTheDebuggerIsCountedInOrder();
    void manyPlacesAreCutShort();
    void aPromptOfNoDebuggerIsCalledSo();
    void whoIsSilentMeanwhileSeemsToWait();
    void aPromptIsLeftAndEndsWithTheRank();
    void aRestartCountsAnew();
    void timeoutsAreTimesOfTheClock();

private:
    static constexpr int ranks = 8;

    void happen(const AnyEvent &what) { m_state.apply(RunEvent::now(what)); }
    void stopAt(int process, int line, const char *word = "(Pdb)")
    {
        RankPrompt prompt{QString::fromLatin1(word), {}, 0, {}, {}, 0};
        if (line > 0) {
            prompt.file = u"/src/train.py"_s;
            prompt.line = line;
        }
        // As they stand in the journal.
        m_state.apply(*RunEvent::fromLine(RunEvent::now(events::AtPrompt{process, prompt}).toLine()));
    }

    RunState m_state;
};

void StandstillTest::init()
{
    LaunchPlan plan;
    plan.maxRestarts = 1;
    for (int rank = 0; rank < ranks; ++rank) {
        ProcessPlan process;
        process.rank = Rank(rank);
        process.argv = QStringList{u"python3"_s};
        process.hasTerminal = true;
        plan.processes.push_back(process);
    }
    m_state = {};
    m_state.setPlan(plan);
    for (int rank = 0; rank < ranks; ++rank)
        happen(events::ProcessStarted{rank, 100 + rank});
}

void StandstillTest::aRunThatGoesOnHasNone()
{
    QCOMPARE(m_state.standstill(), QString());
    QVERIFY(!m_state.isAnyHeld());
    QCOMPARE(RunState().standstill(), QString());
    QCOMPARE(RunState().timeoutWarning(), QString());
}

void StandstillTest::whoWaitsInTheDebuggerIsCountedInOrder()
{
    stopAt(5, 12);
    QCOMPARE(m_state.standstill(), u"1 of 8 ranks are at a debugger prompt: 5 at train.py:12."_s);
    stopAt(2, 12);
    QCOMPARE(m_state.standstill(),
             u"2 of 8 ranks are at a debugger prompt: 2,5 at train.py:12, rank 5 first."_s);
    stopAt(0, 40);
    QCOMPARE(m_state.standstill(),
             u"3 of 8 ranks are at a debugger prompt, in this order: 2,5 at train.py:12; 0 at "
             "train.py:40."_s);
    QCOMPARE(m_state.promptOrder(5), 1);
    QCOMPARE(m_state.promptOrder(2), 2);
    QCOMPARE(m_state.promptOrder(0), 3);
    QCOMPARE(m_state.promptOrder(1), 0);
    // Who steps on comes last.
    stopAt(5, 13);
    QCOMPARE(m_state.promptOrder(2), 1);
    QCOMPARE(m_state.promptOrder(5), 3);
}

void StandstillTest::manyPlacesAreCutShort()
{
    for (int rank = 0; rank < ranks; ++rank)
        stopAt(rank, 10 + rank);
    QCOMPARE(m_state.standstill(),
             u"8 of 8 ranks are at a debugger prompt, in this order: 0 at train.py:10; 1 at "
             "train.py:11; 2 at train.py:12; then others."_s);
}

void StandstillTest::aPromptOfNoDebuggerIsCalledSo()
{
    stopAt(1, 0, ">>>");
    QCOMPARE(m_state.standstill(), u"1 of 8 ranks are waiting at a prompt: 1."_s);
    stopAt(2, 0);
    QCOMPARE(m_state.standstill(), u"2 of 8 ranks are at a debugger prompt: 1-2, rank 1 first."_s);
}

void StandstillTest::whoIsSilentMeanwhileSeemsToWait()
{
    happen(events::Stalled{Sentence(u"Some are silent."_s), {{0, 1000}, {1, 1000}, {4, 1000}}});
    QCOMPARE(m_state.standstill(), u"Some are silent."_s);
    stopAt(4, 12);
    QCOMPARE(m_state.standstill(),
             u"1 of 8 ranks are at a debugger prompt: 4 at train.py:12. Ranks 0-1 seem to wait for it."_s);
    QVERIFY(!m_state.silentSince(4).isValid());
    QVERIFY(m_state.silentSince(0).isValid());
}

void StandstillTest::aPromptIsLeftAndEndsWithTheRank()
{
    stopAt(3, 12);
    happen(events::PromptLeft{3});
    QVERIFY(!m_state.isAnyHeld());
    stopAt(3, 12);
    happen(events::ProcessExited{3, 103, ExitStatus{}});
    QVERIFY(!m_state.isAnyHeld());
    stopAt(3, 12); // Too late.
    QVERIFY(!m_state.isAnyHeld());
}

void StandstillTest::aRestartCountsAnew()
{
    stopAt(3, 12);
    happen(events::Restart{1});
    QVERIFY(!m_state.isAnyHeld());
    happen(events::ProcessStarted{3, 100 + 3});
    stopAt(3, 12);
    QCOMPARE(m_state.ranks[3].prompt->arrival, 1);
}

void StandstillTest::timeoutsAreTimesOfTheClock()
{
    LaunchPlan plan = *m_state.plan;
    plan.timeouts = {{u"MS_NODE_TIMEOUT"_s, 30, WaitingTimeout::Whom::Halted},
                     {u"HCCL_EXEC_TIMEOUT"_s, 1836, WaitingTimeout::Whom::InCollective}};
    m_state.plan = std::make_shared<const LaunchPlan>(plan);
    QCOMPARE(m_state.timeoutWarning(), QString());
    stopAt(3, 12);
    const QDateTime since = m_state.ranks[3].prompt->since;
    const QString when = since.addSecs(1836).toLocalTime().toString(u"HH:mm:ss"_s);
    QCOMPARE(m_state.timeoutWarning(),
             u"Ranks that wait for them may give up at %1 (HCCL_EXEC_TIMEOUT, in a collective)."_s.arg(when));
    // All threads of this one stand still.
    happen(events::ProcessHeld{4, 104, Hold::Suspended});
    QVERIFY2(m_state.timeoutWarning().contains(
                 u"(MS_NODE_TIMEOUT, for a rank that is paused as a whole, e.g. in gdb); "_s),
             qPrintable(m_state.timeoutWarning()));
    // Nobody is left to wait.
    for (int rank = 0; rank < ranks; ++rank)
        stopAt(rank, 12);
    QCOMPARE(m_state.timeoutWarning(), QString());
}

} // namespace tst_standstill

RANKDECK_TEST(tst_standstill, StandstillTest)
#include "tst_standstill.moc"

#include "agent/supervise/evidencebeforeend.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "support/handmaderun.h"
#include "support/testmain.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace tst_evidencebeforeend
{

using namespace rankdeck;

/// Whose stacks are taken before a failed run is ended, and how long that may hold it back.
class EvidenceBeforeEndTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void whoIsNamedIsLookedAtAlone();
    void theSilentAreWorthALook();
    void oneWithoutALineIsOnlyIfSomebodyWaits();
    void theEndComesOnceAllHaveAnswered();
    void aRankThatEndsIsNotWaitedFor();
    void dumpsOfAllNodesAreWaitedFor();
    void theEndComesWithoutAnAnswer();
    void whatIsCancelledSaysNothing();

private:
    static RunEvent answerOf(int process) { return RunEvent::now(events::StacksDumped{.process = process}); }
    void print(int process) const
    {
        QFile log(m_state.plan->processes[std::size_t(process)].logFile);
        QVERIFY(log.open(QIODevice::Append) && log.write("step 1\n") > 0);
    }
    /// Those worth a look in so many seconds, when rank 3 has failed with this line.
    QList<int> worth(const char *line, int seconds) const
    {
        Failure failure = *m_state.failure;
        failure.logTail = {QString::fromUtf8(line)};
        return worthALook(m_state, failure, QDateTime::currentMSecsSinceEpoch() + 1000 * seconds);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    RunState m_state;
};

void EvidenceBeforeEndTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    const RunState run = running(handMadeRun());
    m_state = failed(run, 3, {ExitStatus::Kind::Exited, 1});
    for (std::size_t rank = 0; rank < m_state.ranks.size(); ++rank) {
        if (rank != 3)
            m_state.ranks[rank] = run.ranks[rank];
    }
    auto plan = std::make_shared<LaunchPlan>(*run.plan);
    for (ProcessPlan &process : plan->processes)
        process.logFile = m_folder->filePath(process.label());
    m_state.plan = plan;
}

void EvidenceBeforeEndTest::whoIsNamedIsLookedAtAlone()
{
    for (int process = 0; process < 8; ++process)
        print(process);
    QCOMPARE(worth("EI0002 notify wait timeout, remote rank 6", 0), QList<int>{6});
    QCOMPARE(worth("EI0002 notify wait timeout, remote rank 6", 60), QList<int>{6});
    // It is over: the others are left.
    m_state.ranks[6].phase = RankPhase::Exited;
    QCOMPARE(worth("EI0002 notify wait timeout, remote rank 6", 60).size(), 6);
}

void EvidenceBeforeEndTest::theSilentAreWorthALook()
{
    print(2);
    print(5);
    QCOMPARE(worth("ValueError: bad value", 0), QList<int>());
    QCOMPARE(worth("ValueError: bad value", 60).size(), 2);
    m_state.ranks[2].phase = RankPhase::Exited;
    m_state.unreached.insert(m_state.plan->processes[5].node, u"cut off"_s);
    QCOMPARE(worth("ValueError: bad value", 60), QList<int>());
}

void EvidenceBeforeEndTest::oneWithoutALineIsOnlyIfSomebodyWaits()
{
    QCOMPARE(worth("ValueError: bad value", 60), QList<int>());
    QCOMPARE(worth("RuntimeError: connection timed out", 60), (QList<int>{0, 1, 2, 4, 5, 6, 7}));
}

void EvidenceBeforeEndTest::theEndComesOnceAllHaveAnswered()
{
    EvidenceBeforeEnd stacks;
    QSignalSpy wanted(&stacks, &EvidenceBeforeEnd::wanted);
    QSignalSpy done(&stacks, &EvidenceBeforeEnd::done);
    stacks.start({6, 7}, {});
    QCOMPARE(wanted.count(), 1);
    stacks.take(answerOf(6));
    stacks.take(answerOf(5));
    QVERIFY(done.isEmpty() && stacks.isWaiting());
    stacks.take(answerOf(7));
    QCOMPARE(done.count(), 1);
    QVERIFY(!stacks.isWaiting());
    stacks.take(answerOf(7));
    QCOMPARE(done.count(), 1);
}

void EvidenceBeforeEndTest::aRankThatEndsIsNotWaitedFor()
{
    EvidenceBeforeEnd stacks;
    QSignalSpy done(&stacks, &EvidenceBeforeEnd::done);
    stacks.start({6}, {});
    stacks.take(RunEvent::now(events::ProcessExited{6}));
    QCOMPARE(done.count(), 1);
}

void EvidenceBeforeEndTest::dumpsOfAllNodesAreWaitedFor()
{
    EvidenceBeforeEnd evidence;
    QSignalSpy wanted(&evidence, &EvidenceBeforeEnd::wanted);
    QSignalSpy done(&evidence, &EvidenceBeforeEnd::done);
    QVERIFY(evidence.start({6}, {u"alpha"_s, u"beta"_s}));
    evidence.take(RunEvent::now(events::RecordersDumped(), u"alpha"_s));
    evidence.take(answerOf(6));
    QVERIFY(done.isEmpty() && evidence.isWaiting());
    evidence.take(RunEvent::now(events::AgentLost(), u"beta"_s));
    QCOMPARE(done.count(), 1);
    QCOMPARE(wanted.count(), 1);

    QVERIFY(evidence.start({}, {u"alpha"_s}));
    QCOMPARE(wanted.count(), 1);
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 2, 30000);
}

void EvidenceBeforeEndTest::theEndComesWithoutAnAnswer()
{
    EvidenceBeforeEnd stacks;
    QSignalSpy done(&stacks, &EvidenceBeforeEnd::done);
    QElapsedTimer passed;
    passed.start();
    stacks.start({6}, {});
    QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, 30000);
    QVERIFY2(passed.elapsed() >= 1000, "the tools need a moment");
}

void EvidenceBeforeEndTest::whatIsCancelledSaysNothing()
{
    EvidenceBeforeEnd stacks;
    QSignalSpy done(&stacks, &EvidenceBeforeEnd::done);
    stacks.start({6}, {});
    stacks.cancel();
    stacks.take(answerOf(6));
    QVERIFY(done.isEmpty() && !stacks.isWaiting());
    QVERIFY(!stacks.start({}, {}));
    QVERIFY(!stacks.isWaiting());
}

} // namespace tst_evidencebeforeend

RANKDECK_TEST(tst_evidencebeforeend, EvidenceBeforeEndTest)
#include "tst_evidencebeforeend.moc"

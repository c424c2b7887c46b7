#include "diagnosis/selftest/selftestfollower.h"
#include "launch/plan/launchplan.h"
#include "log/growingfile.h"
#include "support/testmain.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_selftestfollower
{

using namespace rankdeck;
using namespace rankdeck::test;

namespace
{

constexpr int patience = 30'000; ///< ms

/// Ranks that write into files of their own.
class Ranks
{
public:
    explicit Ranks(int count)
        : m_logs(std::size_t(count))
    {
        plan.totalRanks = count;
        for (int rank = 0; rank < count; ++rank) {
            ProcessPlan process;
            process.rank = Rank(rank);
            process.logFile = log(rank).path();
            plan.processes.push_back(process);
        }
    }
    GrowingFile &log(int rank) { return m_logs[std::size_t(rank)]; }

    LaunchPlan plan;

private:
    std::vector<GrowingFile> m_logs;
};

QByteArray stage(int rank, SelfTestStage stage)
{
    SelfTestEvent event;
    event.rank = rank;
    event.stage = stage;
    return event.toLine() + '\n';
}

QByteArray pair(int from, int to, double latency)
{
    SelfTestEvent event;
    event.kind = SelfTestEvent::Kind::Pair;
    event.rank = from;
    event.pair = {from, to, latency, 1000, 1000, {}};
    return event.toLine() + '\n';
}

} // namespace

class TestSelfTestFollower : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatRanksTellIsFollowed()
    {
        Ranks ranks(2);
        SelfTestFollower follower(ranks.plan);
        QSignalSpy told(&follower, &SelfTestFollower::told);
        ranks.log(0).append(stage(0, SelfTestStage::Arrived));
        follower.start();
        QCOMPARE(told.size(), 1);
        auto results = told.last().first().value<SelfTestResults>();
        QCOMPARE(results.ranks.size(), 2);
        QCOMPARE(results.ranks.at(0).stage, SelfTestStage::Arrived);
        QCOMPARE(results.ranks.at(1).stage, SelfTestStage::Missing);
        ranks.log(1).append(stage(1, SelfTestStage::Pairs));
        ranks.log(0).append(pair(0, 1, 21));
        QTRY_VERIFY_WITH_TIMEOUT(told.last().first().value<SelfTestResults>().pairs.size() == 1, patience);
        results = told.last().first().value<SelfTestResults>();
        QCOMPARE(results.pairs.front().latencyUs, 21.0);
        QCOMPARE(results.ranks.at(1).stage, SelfTestStage::Pairs);
    }

    void aFinishedRunIsReadToTheEnd()
    {
        Ranks ranks(2);
        ranks.log(0).append("a library says hello\n" + stage(0, SelfTestStage::Arrived));
        ranks.log(0).append(stage(0, SelfTestStage::Done).chopped(1));
        SelfTestFollower follower(ranks.plan);
        QSignalSpy told(&follower, &SelfTestFollower::told);
        follower.finish();
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, patience);
        QCOMPARE(told.last().first().value<SelfTestResults>().ranks.at(0).stage, SelfTestStage::Done);
    }

    void aRankSpeaksForItselfAlone()
    {
        Ranks ranks(2);
        SelfTestLogs logs(ranks.plan);
        ranks.log(0).append(stage(1, SelfTestStage::Failed));
        logs.readOn();
        QVERIFY(!logs.takeChanged());
        QCOMPARE(logs.results().ranks.at(1).stage, SelfTestStage::Missing);
    }

    void ofAnyOtherRunTheBeginningAloneIsRead()
    {
        Ranks ranks(2);
        SelfTestLogs logs(ranks.plan);
        for (int step = 0; step < SelfTestLogs::mostOtherLines; ++step)
            ranks.log(0).append("step: 1, loss: 0.5\n");
        ranks.log(1).append(QByteArray(SelfTestLogs::mostOtherBytes + 1, 'x'));
        QVERIFY(!logs.readOn());
        QVERIFY(logs.isOver());
        ranks.log(0).append(stage(0, SelfTestStage::Arrived));
        logs.readOn();
        QVERIFY(!logs.takeChanged());
    }

    void aSelfTestIsReadOnWhateverElseIsPrinted()
    {
        Ranks ranks(1);
        SelfTestLogs logs(ranks.plan);
        ranks.log(0).append(stage(0, SelfTestStage::Arrived));
        logs.readOn();
        for (int line = 0; line < 2 * SelfTestLogs::mostOtherLines; ++line)
            ranks.log(0).append("something else\n");
        logs.readOn();
        ranks.log(0).append(stage(0, SelfTestStage::Done));
        logs.readOn();
        QCOMPARE(logs.results().ranks.at(0).stage, SelfTestStage::Done);
        QVERIFY(logs.takeChanged());
        QVERIFY(!logs.takeChanged());
    }

    void ofLogsAloneTheRanksAreCounted()
    {
        Ranks ranks(3);
        ranks.plan.totalRanks = 0;
        const SelfTestLogs logs(ranks.plan);
        QCOMPARE(logs.results().ranks.size(), 3);
    }
};

} // namespace tst_selftestfollower

RANKDECK_TEST(tst_selftestfollower, TestSelfTestFollower)
#include "tst_selftestfollower.moc"

#include "agent/channel/agentorders.h"
#include "agent/messages/processorders.h"
#include "run/record/runstate.h"
#include "support/testmain.h"

#include <QTest>

#include <functional>

namespace tst_startorder
{

using namespace rankdeck;

/// What becomes of a request to start ranks again.
class StartOrderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init();
    void ranksThatHaveEndedOrRunAreStarted();
    void theOrderReachesTheAgent();
    void whatCannotBeStartedIsRefused_data();
    void whatCannotBeStartedIsRefused();

private:
    using Change = std::function<void(RunState &)>;

    /// Ranks 0 and 1 on alpha, 2 on beta; 1 and 2 have failed.
    RunState m_run;
};

void StartOrderTest::init()
{
    LaunchPlan plan;
    for (const int rank : {0, 1, 2}) {
        ProcessPlan process;
        process.rank = Rank(rank);
        process.node = rank < 2 ? u"alpha"_s : u"beta"_s;
        plan.processes.push_back(process);
    }
    m_run = {};
    m_run.setPlan(plan);
    for (const int rank : {0, 1, 2})
        m_run.apply(RunEvent::now(events::ProcessStarted{rank, 100 + rank}));
    for (const int rank : {1, 2})
        m_run.apply(
            RunEvent::now(events::ProcessExited{rank, 100 + rank, ExitStatus{ExitStatus::Kind::Exited, 1}}));
}

void StartOrderTest::ranksThatHaveEndedOrRunAreStarted()
{
    const StartOrder order = startOrder({0, 1, 7, -1}, m_run, false);
    QCOMPARE(order.asked, (QList<int>{0, 1}));
    QCOMPARE(order.ended, QList<int>{0});
    QVERIFY(order.refusals.isEmpty());
    QCOMPARE(order.note, u"Ranks 0-1 are started again on request."_s);
}

void StartOrderTest::theOrderReachesTheAgent()
{
    const auto read = orderFromLine(orderLine(orders::StartProcesses{{1, 3}}));
    const auto *order = read ? std::get_if<orders::StartProcesses>(&*read) : nullptr;
    QVERIFY(order);
    QCOMPARE(order->processes, (QList<int>{1, 3}));
}

void StartOrderTest::whatCannotBeStartedIsRefused_data()
{
    QTest::addColumn<Change>("change");
    QTest::addColumn<int>("process");
    QTest::addColumn<QString>("words");
    QTest::newRow("nothing is left on its node")
        << Change([](RunState &) {}) << 2 << u"is left on beta. Launch the run again."_s;
    QTest::newRow("the run is being ended") << Change([](RunState &run) { run.phase = RunPhase::Stopping; })
                                            << 1 << u"the run is not running or is about to end"_s;
    QTest::newRow("not started yet") << Change([](RunState &run) { run.ranks[1] = {}; }) << 1
                                     << u"it has not been started yet"_s;
    QTest::newRow("its node is not reached")
        << Change([](RunState &run) { run.unreached.insert(u"alpha"_s, {}); }) << 1
        << u"no connection to alpha"_s;
    QTest::newRow("another launcher started it") << Change([](RunState &run) {
        LaunchPlan plan = *run.plan;
        plan.processes[1].isFound = true;
        run.plan = std::make_shared<const LaunchPlan>(plan);
    }) << 1 << u"its own launcher started it, not Rankdeck"_s;
    QTest::newRow("a scheduler") << Change([](RunState &run) {
        LaunchPlan plan = *run.plan;
        plan.processes[1].role = Role::Scheduler;
        run.plan = std::make_shared<const LaunchPlan>(plan);
    }) << 1 << u"Only ranks can be started again."_s;
}

void StartOrderTest::whatCannotBeStartedIsRefused()
{
    QFETCH(Change, change);
    QFETCH(int, process);
    QFETCH(QString, words);
    change(m_run);
    const StartOrder order = startOrder({process}, m_run, false);
    QVERIFY(order.asked.isEmpty());
    QVERIFY(order.note.isEmpty());
    QCOMPARE(order.refusals.size(), 1);
    QVERIFY(order.refusals.first().is<events::StartRefused>());
    QCOMPARE(order.refusals.first().process(), process);
    QVERIFY2(order.refusals.first().text().text().contains(words), qPrintable(order.refusals.first().text()));
    QVERIFY(startOrder({0, 1, 2}, m_run, true).asked.isEmpty());
}

} // namespace tst_startorder

RANKDECK_TEST(tst_startorder, StartOrderTest)
#include "tst_startorder.moc"

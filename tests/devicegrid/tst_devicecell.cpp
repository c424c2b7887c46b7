#include "devicegrid/celltext.h"
#include "devicegrid/devicecell.h"
#include "support/handmaderun.h"

#include <QTest>

using namespace rankdeck;

class TestDeviceCell : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCellSaysItsStateInAWord_data();
    void aCellSaysItsStateInAWord();
    void aRunningRankShowsWhereItIsAndForHowLong();
    void anEndedRankShowsHowItEndedAndItsTimeStandsStill();
    void serversOfOtherNodesAreShownAsNotLaunchedHere();
    void processesOnNoDeviceHaveCellsToo();
    void withoutARankTableEachNodeShowsItsProcesses();
    void headingCountsTheStates();
    void longTextIsCutWhereItsCellsEnd_data();
    void longTextIsCutWhereItsCellsEnd();
    void aLogLineIsBrokenOverRows_data();
    void aLogLineIsBrokenOverRows();
};

void TestDeviceCell::aCellSaysItsStateInAWord_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<QString>("word");
    QTest::newRow("waiting") << int(RankPhase::Waiting) << QStringLiteral("waiting");
    QTest::newRow("running") << int(RankPhase::Running) << QStringLiteral("running");
    QTest::newRow("exited") << int(RankPhase::Exited) << QStringLiteral("exited");
    QTest::newRow("failed") << int(RankPhase::Failed) << QStringLiteral("failed");
    QTest::newRow("ended") << int(RankPhase::Ended) << QStringLiteral("ended");
}

void TestDeviceCell::aCellSaysItsStateInAWord()
{
    QFETCH(int, phase);
    RunState state = handMadeRun();
    state.ranks[3].phase = RankPhase(phase);
    const auto sections = deviceSections(state, {}, QDateTime::currentDateTimeUtc());
    QCOMPARE(sections.size(), 1);
    QCOMPARE(sections[0].cells.size(), 8);
    QTEST(sections[0].cells[3].lines[0].right, "word");
}

void TestDeviceCell::aRunningRankShowsWhereItIsAndForHowLong()
{
    const RunState state = running(handMadeRun());
    const QDateTime now = state.ranks[5].started.addSecs(3723);
    const auto sections = deviceSections(state, {{5, QStringLiteral("epoch: 1 step: 5")}}, now);
    const DeviceCell &cell = sections[0].cells[5];
    QCOMPARE(cell.process, 5);
    const QString spoken = cell.spoken();
    for (const char *part :
         {"rank 5", "device 5", "192.168.101.101", "pid 1005", "running", "1:02:03", "epoch: 1 step: 5"})
        QVERIFY2(spoken.contains(QLatin1String(part)), qPrintable(spoken));
}

void TestDeviceCell::anEndedRankShowsHowItEndedAndItsTimeStandsStill()
{
    const RunState state = failed(running(handMadeRun(), 10), 3, ExitStatus{ExitStatus::Kind::Exited, 3});
    const auto soon = deviceSections(state, {}, state.ended);
    const auto later = deviceSections(state, {}, state.ended.addDays(3));
    QCOMPARE(soon, later);
    QCOMPARE(soon[0].cells[3].lines[2].left, QStringLiteral("exit code 3"));
    QVERIFY(soon[0].cells[2].spoken().contains(QStringLiteral("SIGTERM")));
    QCOMPARE(soon[0].cells[3].lines[2].right, QStringLiteral("0:10"));
}

void TestDeviceCell::serversOfOtherNodesAreShownAsNotLaunchedHere()
{
    const auto sections = deviceSections(running(handMadeRun(2)), {}, QDateTime::currentDateTimeUtc());
    QCOMPARE(sections.size(), 2);
    QVERIFY(sections[0].heading.contains(QStringLiteral("10.0.0.1")));
    QVERIFY(!sections[0].heading.contains(QStringLiteral("not launched here")));
    QVERIFY(sections[1].heading.contains(QStringLiteral("10.0.0.2")));
    QVERIFY(sections[1].heading.contains(QStringLiteral("not launched here")));
    QCOMPARE(sections[1].cells[0].process, -1);
    QVERIFY(sections[1].cells[0].spoken().contains(QStringLiteral("rank 8")));
    QVERIFY(!sections[1].cells[0].spoken().contains(QStringLiteral("running")));
}

void TestDeviceCell::processesOnNoDeviceHaveCellsToo()
{
    RunState state = handMadeRun();
    auto plan = std::make_shared<LaunchPlan>(*state.plan);
    ProcessPlan scheduler;
    scheduler.role = Role::Scheduler;
    plan->processes.push_back(scheduler);
    ProcessPlan homeless;
    homeless.rank = Rank(77);
    plan->processes.push_back(homeless);
    state.plan = plan;
    state.ranks.resize(plan->processes.size());

    const auto sections = deviceSections(state, {}, QDateTime::currentDateTimeUtc());
    QCOMPARE(sections.size(), 2);
    QCOMPARE(sections[1].cells.size(), 2);
    QVERIFY(sections[1].cells[0].spoken().contains(QStringLiteral("scheduler")));
    QVERIFY(sections[1].cells[1].spoken().contains(QStringLiteral("rank 77")));
}

void TestDeviceCell::withoutARankTableEachNodeShowsItsProcesses()
{
    RunState state = running(handMadeRun(1, 2));
    LaunchPlan plan = *state.plan;
    plan.rankTable.servers.clear();
    plan.processes[0].device = ProcessPlan::noDevice;
    state.plan = std::make_shared<const LaunchPlan>(plan);
    const auto sections = deviceSections(state, {}, QDateTime::currentDateTimeUtc());
    QCOMPARE(sections.size(), 1);
    QVERIFY2(sections[0].heading.startsWith(QLatin1String("10.0.0.1")), qPrintable(sections[0].heading));
    QCOMPARE(sections[0].cells.size(), 2);
    QCOMPARE(sections[0].cells[0].process, 0);
    QCOMPARE(sections[0].cells[0].lines[0].left, QStringLiteral("rank 0"));
    QCOMPARE(sections[0].cells[1].lines[0].left, QStringLiteral("rank 1  device 1"));
}

void TestDeviceCell::headingCountsTheStates()
{
    RunState state = running(handMadeRun());
    state.ranks[7].phase = RankPhase::Failed;
    const QString heading = deviceSections(state, {}, QDateTime::currentDateTimeUtc())[0].heading;
    QVERIFY2(heading.contains(QStringLiteral("1 failed, 7 running")), qPrintable(heading));
}

void TestDeviceCell::longTextIsCutWhereItsCellsEnd_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("cells");
    QTest::addColumn<QString>("shown");
    QTest::newRow("fits") << QStringLiteral("12345") << 5 << QStringLiteral("12345");
    QTest::newRow("one too many") << QStringLiteral("123456") << 5 << QStringLiteral("1234…");
    QTest::newRow("two cells each") << QStringLiteral("训练开始") << 8 << QStringLiteral("训练开始");
    QTest::newRow("no half character") << QStringLiteral("训练开始") << 6 << QStringLiteral("训练…");
    QTest::newRow("nothing fits") << QStringLiteral("abc") << 0 << QString();
    QTest::newRow("controls") << QStringLiteral("a\tb\n") << 10 << QStringLiteral("a b ");
}

void TestDeviceCell::longTextIsCutWhereItsCellsEnd()
{
    QFETCH(QString, text);
    QFETCH(int, cells);
    QTEST(elidedToCells(text, cells), "shown");
}

void TestDeviceCell::aLogLineIsBrokenOverRows_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("rows");
    QTest::newRow("nothing") << QString() << QStringList{QString()};
    QTest::newRow("fits") << QStringLiteral("loss is 1") << QStringList{QStringLiteral("loss is 1")};
    QTest::newRow("at a space") << QStringLiteral("step: 73, loss is 1.4")
                                << QStringList{QStringLiteral("step: 73,"), QStringLiteral("loss is 1.4")};
    QTest::newRow("within a word") << QStringLiteral("/very/long/path/file")
                                   << QStringList{QStringLiteral("/very/long/p"), QStringLiteral("ath/file")};
    QTest::newRow("too long") << QStringLiteral("0123456789ab0123456789abc")
                              << QStringList{QStringLiteral("0123456789ab"), QStringLiteral("0123456789a…")};
    QTest::newRow("two cells each") << QStringLiteral("训练开始训练开始")
                                    << QStringList{QStringLiteral("训练开始训练"), QStringLiteral("开始")};
}

void TestDeviceCell::aLogLineIsBrokenOverRows()
{
    QFETCH(QString, text);
    QTEST(brokenToCells(text, 12, 2), "rows");
}

QTEST_MAIN(TestDeviceCell)
#include "tst_devicecell.moc"

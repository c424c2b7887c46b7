#include "canvas/cells/celltext.h"
#include "devicegrid/cells/devicecell.h"
#include "devicegrid/cells/deviceserver.h"
#include "support/handmaderun.h"
#include "support/windowtest.h"

#include <QTest>

namespace tst_devicecell
{

using namespace rankdeck;

namespace
{

/// The cells of `server` now, or then.
QList<DeviceCell> cellsOf(const RunState &state, int server = 0,
                          const QDateTime &now = QDateTime::currentDateTimeUtc())
{
    QList<DeviceCell> cells;
    const QList<DeviceServer> servers = deviceServers(*state.plan);
    for (const PlacedDevice &device : servers.at(server).devices)
        cells.append(deviceCell(device, state, {}, now));
    return cells;
}

ServerSummary summary(const RunState &state, int server = 0)
{
    return summaryOf(deviceServers(*state.plan).at(server), state);
}

} // namespace

class TestDeviceCell : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCellSaysItsStateInAWord_data();
    void aCellSaysItsStateInAWord();
    void aRunningRankShowsWhereItIsAndForHowLong();
    void anEndedRankShowsHowItEndedAndItsTimeStandsStill();
    void aRankShowsHowFarItIs();
    void aStalledRankSaysSinceWhenItIsSilent();
    void aHeldRankSaysByWhom();
    void aRankInItsDebuggerSaysWhereAndTheOthersWait();
    void serversOfOtherNodesAreShownAsNotLaunchedHere();
    void processesOnNoDeviceHaveCellsToo();
    void withoutARankTableEachNodeShowsItsProcesses();
    void aHeadingCountsTheStatesWorstFirst();
    void aHeadingSaysThatItsNodeIsNotReached();
    void aHeadingCountsTheNpusThatAreNotWell();
    void aServerIsAsItsWorstRank_data();
    void aServerIsAsItsWorstRank();
    void longTextIsCutWhereItsCellsEnd_data();
    void longTextIsCutWhereItsCellsEnd();
    void aLogLineIsBrokenOverRows_data();
    void aLogLineIsBrokenOverRows();
};

void TestDeviceCell::aCellSaysItsStateInAWord_data()
{
    QTest::addColumn<int>("phase");
    QTest::addColumn<QString>("word");
    QTest::newRow("waiting") << int(RankPhase::Waiting) << u"waiting"_s;
    QTest::newRow("running") << int(RankPhase::Running) << u"running"_s;
    QTest::newRow("succeeded") << int(RankPhase::Exited) << u"succeeded"_s;
    QTest::newRow("failed") << int(RankPhase::Failed) << u"failed"_s;
    QTest::newRow("nobody saw its end") << int(RankPhase::Ended) << u"lost"_s;
}

void TestDeviceCell::aCellSaysItsStateInAWord()
{
    QFETCH(int, phase);
    RunState state = handMadeRun();
    state.ranks[3].phase = RankPhase(phase);
    const QList<DeviceCell> cells = cellsOf(state);
    QCOMPARE(cells.size(), 8);
    QTEST(cells[3].lines[0].right, "word");
}

void TestDeviceCell::aRunningRankShowsWhereItIsAndForHowLong()
{
    const RunState state = running(handMadeRun());
    const QDateTime now = state.ranks[5].started.addSecs(3723);
    const DeviceCell cell =
        deviceCell(deviceServers(*state.plan)[0].devices[5], state, u"epoch: 1 step: 5"_s, now);
    QCOMPARE(cell.process, 5);
    const QString spoken = cell.spoken();
    for (const char *part :
         {"rank 5", "device 5", "192.168.101.101", "pid 1005", "running", "1:02:03", "epoch: 1 step: 5"})
        QVERIFY2(spoken.contains(QLatin1String(part)), qPrintable(spoken));
}

void TestDeviceCell::anEndedRankShowsHowItEndedAndItsTimeStandsStill()
{
    const RunState state = failed(running(handMadeRun(), 10), 3, ExitStatus{ExitStatus::Kind::Exited, 3});
    const QList<DeviceCell> soon = cellsOf(state, 0, state.ended);
    QCOMPARE(soon, cellsOf(state, 0, state.ended.addDays(3)));
    QCOMPARE(soon[3].lines[2].left, u"exit code 3"_s);
    QVERIFY(soon[2].spoken().contains(u"SIGTERM"_s));
    QCOMPARE(soon[3].lines[2].right, u"0:10"_s);
}

void TestDeviceCell::aRankShowsHowFarItIs()
{
    const DeviceCell::Line progress{u"step 1,200 loss 2.131"_s, u"1.9 s"_s};
    const auto line = [&](const RunState &state, const DeviceCell::Line &text) {
        const QDateTime now = state.ranks[3].started.addSecs(7);
        return deviceCell(deviceServers(*state.plan)[0].devices[3], state, {}, now, text).lines[2];
    };
    const RunState live = running(handMadeRun());
    QCOMPARE(line(live, progress), progress);
    QCOMPARE(line(live, {}), (DeviceCell::Line{QString(), u"0:07"_s}));
    QCOMPARE(line(live, {progress.left, {}}), (DeviceCell::Line{progress.left, u"0:07"_s}));
    const RunState ended = failed(live, 3, ExitStatus{ExitStatus::Kind::Exited, 3});
    QCOMPARE(line(ended, progress).left, u"exit code 3 · step 1,200 loss 2.131"_s);
    QVERIFY(line(ended, progress).right != progress.right);
    QCOMPARE(line(ended, {}).left, u"exit code 3"_s);
}

void TestDeviceCell::aStalledRankSaysSinceWhenItIsSilent()
{
    RunState state = running(handMadeRun());
    const QDateTime since(QDate(2024, 1, 1), QTime(14, 2, 10));
    state.stall = RunStall{Sentence(u"Rank 3 has been silent."_s), {{3, since.toMSecsSinceEpoch()}}};
    const auto cell = [&](int device, const QDateTime &now) {
        return deviceCell(deviceServers(*state.plan)[0].devices[device], state, {}, now,
                          {u"step 7"_s, u"1.9 s"_s});
    };
    const DeviceCell stalled = cell(3, since.addSecs(300));
    QCOMPARE(stalled.lines[0].right, u"⚠ stalled"_s);
    QCOMPARE(stalled.lines[2].left, u"silent since 14:02 · step 7"_s);
    QCOMPARE(stalled.tone, Tone::Caution);
    QVERIFY(stalled.spoken().contains(u"silent since 14:02"_s));
    // It costs nothing on the wire while it stands.
    QCOMPARE(cell(3, since.addSecs(3000)), stalled);
    QCOMPARE(cell(3, since.addDays(1)).lines[2].left, u"silent since 01-01 14:02 · step 7"_s);
    QCOMPARE(cell(2, since).lines[0].right, u"running"_s);
    QCOMPARE(summary(state).text(), u"10.0.0.1  1 stalled, 8 running"_s);
}

void TestDeviceCell::aHeldRankSaysByWhom()
{
    RunState state = running(handMadeRun());
    state.ranks[3].hold = Hold::Suspended;
    state.ranks[4].hold = Hold::Traced;
    // Its silence is none of its own.
    state.stall = RunStall{Sentence(u"Rank 3 has been held."_s), {{3, 1000}}};
    const QList<DeviceCell> cells = cellsOf(state);
    QCOMPARE(cells[3].lines[0].right, u"‖ paused"_s);
    QCOMPARE(cells[3].lines[2].left, u"by SIGSTOP"_s);
    QCOMPARE(cells[3].tone, Tone::Caution);
    QCOMPARE(cells[4].lines[0].right, u"‖ traced"_s);
    QVERIFY(cells[4].spoken().contains(u"by a debugger"_s));
    QCOMPARE(summary(state).text(), u"10.0.0.1  6 running, 1 ‖ paused, 1 ‖ traced"_s);
}

void TestDeviceCell::aRankInItsDebuggerSaysWhereAndTheOthersWait()
{
    RunState state = running(handMadeRun());
    const QDateTime since = QDateTime(QDate(2026, 1, 2), QTime(14, 2, 0));
    const auto stop = [&](int rank, int arrival) {
        state.ranks[size_t(rank)].prompt =
            RankPrompt{u"(Pdb)"_s, u"/src/train.py"_s, 12, u"f"_s, since, arrival};
    };
    stop(5, 1);
    state.stall = RunStall{Sentence(u"Rank 0 is silent."_s), {{0, since.toMSecsSinceEpoch()}}};
    QList<DeviceCell> cells = cellsOf(state, 0, since.addSecs(60));
    QCOMPARE(cells[5].lines[0].right, u"❯ (Pdb)"_s);
    QCOMPARE(cells[5].lines[2].left, u"train.py:12 · f"_s);
    QCOMPARE(cells[5].lines[2].right, u"1."_s);
    QCOMPARE(cells[0].lines[0].right, u"… waiting"_s);
    QCOMPARE(cells[0].lines[2].left, u"for rank 5 since 14:02"_s);
    QCOMPARE(summary(state).text(), u"10.0.0.1  1 waiting, 1 at a prompt, 7 running"_s);
    stop(2, 2);
    cells = cellsOf(state, 0, since.addSecs(60));
    QCOMPARE(cells[2].lines[2].right, u"2."_s);
    QCOMPARE(cells[0].lines[2].left, u"for 2 ranks since 14:02"_s);
    QVERIFY(cells[2].spoken().contains(u"train.py:12"_s));
}

void TestDeviceCell::serversOfOtherNodesAreShownAsNotLaunchedHere()
{
    const RunState state = running(handMadeRun(2));
    QCOMPARE(deviceServers(*state.plan).size(), 2);
    QCOMPARE(summary(state, 0).text(), u"10.0.0.1  8 running"_s);
    QCOMPARE(summary(state, 1).text(), u"10.0.0.2  (not part of this launch)"_s);
    QCOMPARE(summary(state, 1).state, ServerState::NotLaunched);
    const DeviceCell cell = cellsOf(state, 1)[0];
    QCOMPARE(cell.process, -1);
    QVERIFY(cell.spoken().contains(u"rank 8"_s));
    QVERIFY(!cell.spoken().contains(u"running"_s));
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

    QCOMPARE(deviceServers(*state.plan).size(), 2);
    const QList<DeviceCell> cells = cellsOf(state, 1);
    QCOMPARE(cells.size(), 2);
    QVERIFY(cells[0].spoken().contains(u"scheduler"_s));
    QVERIFY(cells[1].spoken().contains(u"rank 77"_s));
}

void TestDeviceCell::withoutARankTableEachNodeShowsItsProcesses()
{
    RunState state = running(handMadeRun(2, 2, 2));
    LaunchPlan plan = *state.plan;
    plan.rankTable.servers.clear();
    plan.processes[0].device = ProcessPlan::noDevice;
    state.plan = std::make_shared<const LaunchPlan>(plan);
    QCOMPARE(deviceServers(*state.plan).size(), 2);
    QCOMPARE(summary(state, 1).name, u"10.0.0.2"_s);
    const QList<DeviceCell> cells = cellsOf(state);
    QCOMPARE(cells.size(), 2);
    QCOMPARE(cells[0].process, 0);
    QCOMPARE(cells[0].lines[0].left, u"rank 0"_s);
    QCOMPARE(cells[1].lines[0].left, u"rank 1  device 1"_s);
}

void TestDeviceCell::aHeadingCountsTheStatesWorstFirst()
{
    RunState state = running(handMadeRun());
    state.ranks[2].phase = RankPhase::Exited;
    state.ranks[7].phase = RankPhase::Failed;
    QCOMPARE(summary(state).counts, u"1 failed, 6 running, 1 succeeded"_s);
    QCOMPARE(summary(state).state, ServerState::Failed);
}

void TestDeviceCell::aHeadingSaysThatItsNodeIsNotReached()
{
    RunState state = running(handMadeRun());
    const QString node = state.plan->processes.front().node;
    const Sentence lost(u"connection lost, trying again since 12:03:05"_s);
    state.apply(RunEvent::now(events::LinkLost{lost}, node));
    QCOMPARE(summary(state).text(), u"10.0.0.1  connection lost, 8 running"_s);
    state.apply(RunEvent::now(events::LinkBack{lost}, node));
    QCOMPARE(summary(state).text(), u"10.0.0.1  8 running"_s);
}

void TestDeviceCell::aHeadingCountsTheNpusThatAreNotWell()
{
    RunState state = running(handMadeRun());
    state.deviceAlarms.insert(3, u"Device 3: its health was OK and is Alarm."_s);
    QCOMPARE(summary(state).text(), u"10.0.0.1  1 NPU alarm, 8 running"_s);
    state.deviceAlarms.insert(5, u"Device 5: its health was OK and is Alarm."_s);
    QCOMPARE(summary(state).text(), u"10.0.0.1  2 NPU alarms, 8 running"_s);
}

void TestDeviceCell::aServerIsAsItsWorstRank_data()
{
    QTest::addColumn<int>("rank");
    QTest::addColumn<int>("run");
    QTest::addColumn<int>("state");
    QTest::addColumn<QString>("counts");
    const auto row = [](const char *name, RankPhase rank, RunPhase run, ServerState state,
                        const char *counts) {
        QTest::newRow(name) << int(rank) << int(run) << int(state) << QString::fromLatin1(counts);
    };
    row("waiting", RankPhase::Waiting, RunPhase::Starting, ServerState::Waiting, "8 waiting");
    row("running", RankPhase::Running, RunPhase::Running, ServerState::Running, "8 running");
    row("being ended", RankPhase::Running, RunPhase::Stopping, ServerState::Stopping, "8 stopping");
    row("ended well", RankPhase::Exited, RunPhase::Succeeded, ServerState::Succeeded, "8 succeeded");
    row("nobody saw it end", RankPhase::Ended, RunPhase::Lost, ServerState::Lost, "8 lost");
    row("stopped", RankPhase::Stopped, RunPhase::Stopped, ServerState::Stopped, "8 stopped");
    row("logs alone", RankPhase::Unknown, RunPhase::Recorded, ServerState::Unknown, "8 unknown");
    row("failed", RankPhase::Failed, RunPhase::Failed, ServerState::Failed, "8 failed");
}

void TestDeviceCell::aServerIsAsItsWorstRank()
{
    QFETCH(int, rank);
    QFETCH(int, run);
    RunState state = handMadeRun();
    state.phase = RunPhase(run);
    for (RankState &each : state.ranks)
        each.phase = RankPhase(rank);
    QTEST(int(summary(state).state), "state");
    QTEST(summary(state).counts, "counts");
}

void TestDeviceCell::longTextIsCutWhereItsCellsEnd_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("cells");
    QTest::addColumn<QString>("shown");
    QTest::newRow("fits") << u"12345"_s << 5 << u"12345"_s;
    QTest::newRow("one too many") << u"123456"_s << 5 << u"1234…"_s;
    QTest::newRow("two cells each") << u"训练开始"_s << 8 << u"训练开始"_s;
    QTest::newRow("no half character") << u"训练开始"_s << 6 << u"训练…"_s;
    QTest::newRow("nothing fits") << u"abc"_s << 0 << QString();
    QTest::newRow("controls") << u"a\tb\n"_s << 10 << u"a b "_s;
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
    QTest::newRow("fits") << u"loss is 1"_s << QStringList{u"loss is 1"_s};
    QTest::newRow("at a space") << u"step: 73, loss is 1.4"_s
                                << QStringList{u"step: 73,"_s, u"loss is 1.4"_s};
    QTest::newRow("within a word") << u"/very/long/path/file"_s
                                   << QStringList{u"/very/long/p"_s, u"ath/file"_s};
    QTest::newRow("too long") << u"0123456789ab0123456789abc"_s
                              << QStringList{u"0123456789ab"_s, u"0123456789a…"_s};
    QTest::newRow("two cells each") << u"训练开始训练开始"_s << QStringList{u"训练开始训练"_s, u"开始"_s};
}

void TestDeviceCell::aLogLineIsBrokenOverRows()
{
    QFETCH(QString, text);
    QTEST(brokenToCells(text, 12, 2), "rows");
}

} // namespace tst_devicecell

RANKDECK_WINDOW_TEST(tst_devicecell, TestDeviceCell)
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "tst_devicecell.moc"

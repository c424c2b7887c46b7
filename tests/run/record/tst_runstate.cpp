#include "launch/plan/launchplan.h"
#include "run/record/runevent.h"
#include "run/record/runstate.h"
#include "support/testmain.h"

#include <QTest>

#include <cerrno>
#include <csignal>

namespace tst_runstate
{

using namespace rankdeck;

class RunStateTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRankThatEndsByItselfIsToldFromAStoppedOne_data();
    void aRankThatEndsByItselfIsToldFromAStoppedOne();
    void anEventRoundTripsThroughItsLine_data();
    void anEventRoundTripsThroughItsLine();
    void aTornOrForeignLineIsNoEvent();
    void exitStatusesHaveAShellsCodes();
    void aRunLivesThroughItsEvents();
    void aRunIsStartingWhileAHookRuns();
    void aRankThatEndsWhileStoppingDidNotFail();
    void aRestartBeginsAnew();
    void aRankThatIsStartedAgainHasAnotherLife();
    void aRankThatCannotBeStartedAgainHasFailed();
    void ranksThatAreFoundJoinThePlan();
    void aStallLastsUntilItsRanksGoOnOrEnd();
    void anAlarmOfAnNpuLastsUntilItIsWell();
    void silencesOfMoreThanARunAreNone();
    void eventsOfNoProcessHarmNothing();
    void aPidIsOfThisMachine();
    void phaseWordsReadBack();

private:
    static RunState twoRanks()
    {
        RunState state;
        state.ranks.resize(2);
        return state;
    }
    static RunEvent event(RunEvent::Kind kind, int process = -1, std::optional<ExitStatus> status = {})
    {
        RunEvent made = RunEvent::now(kind);
        made.process = process;
        made.pid = process < 0 ? 0 : 1000 + process;
        made.status = status;
        return made;
    }
};

void RunStateTest::anEventRoundTripsThroughItsLine_data()
{
    QTest::addColumn<int>("kind");
    for (int kind = 0; kind <= static_cast<int>(RunEvent::Kind::Finished); ++kind)
        QTest::addRow("kind %d", kind) << kind;
}

void RunStateTest::anEventRoundTripsThroughItsLine()
{
    QFETCH(int, kind);
    RunEvent made =
        event(static_cast<RunEvent::Kind>(kind), 1, ExitStatus{ExitStatus::Kind::Signalled, SIGKILL});
    made.text = Sentence(QStringLiteral("line\nwith \"quotes\" 中"));
    made.node = QStringLiteral("n");
    made.silences = {{0, 1000}, {1, 1000}, {2, 1000}, {7, 5000}};
    made.file = QStringLiteral("stacks/a.txt");
    made.stacks = QStringLiteral("#0 poll\n");
    made.prompt =
        RankPrompt{QStringLiteral("(Pdb)"), QStringLiteral("/a b.py"), 12, QStringLiteral("f"), {}, 0};
    const QByteArray line = made.toLine();
    QVERIFY(!line.contains('\n'));
    const auto again = RunEvent::fromLine(line);
    QVERIFY(again);
    QCOMPARE(again->kind, made.kind);
    QCOMPARE(again->process, 1);
    QCOMPARE(again->pid, made.pid);
    QCOMPARE(again->text, made.text);
    QCOMPARE(again->node, made.node);
    QCOMPARE(again->silences, made.silences);
    QCOMPARE(again->file, made.file);
    QCOMPARE(again->stacks, made.stacks);
    QVERIFY(again->prompt == made.prompt);
    QVERIFY(again->status == made.status);
    QCOMPARE(again->monotonicNs, made.monotonicNs);
    QCOMPARE(again->wall.toMSecsSinceEpoch(), made.wall.toMSecsSinceEpoch());
}

void RunStateTest::aTornOrForeignLineIsNoEvent()
{
    const QByteArray line = event(RunEvent::Kind::Note).toLine();
    QVERIFY(!RunEvent::fromLine(line.left(line.size() / 2)));
    for (const char *foreign : {"", "{}", "[]", "null", "7", R"({"event": "dance", "mono": 1, "time": ""})",
                                R"({"event": 5})", R"({"event": "note", "mono": "x", "time": ""})"})
        QVERIFY2(!RunEvent::fromLine(foreign), foreign);
}

void RunStateTest::exitStatusesHaveAShellsCodes()
{
    QCOMPARE((ExitStatus{ExitStatus::Kind::Exited, 3}).shellCode(), 3);
    QCOMPARE((ExitStatus{ExitStatus::Kind::Signalled, SIGKILL}).shellCode(), 137);
    QCOMPARE((ExitStatus{ExitStatus::Kind::NotStarted, ENOENT}).shellCode(), 127);
    QCOMPARE((ExitStatus{ExitStatus::Kind::NotStarted, EACCES}).shellCode(), 126);
    QCOMPARE((ExitStatus{ExitStatus::Kind::Exited, 3}).text(), QStringLiteral("exit code 3"));
    QCOMPARE((ExitStatus{ExitStatus::Kind::Signalled, SIGSEGV}).text(), QStringLiteral("SIGSEGV"));
    QVERIFY(ExitStatus{}.isSuccess());
}

void RunStateTest::aRunLivesThroughItsEvents()
{
    RunState state = twoRanks();
    QCOMPARE(state.phase, RunPhase::Starting);
    state.apply(event(RunEvent::Kind::ProcessStarted, 0));
    state.apply(event(RunEvent::Kind::ProcessStarted, 1));
    QCOMPARE(state.phase, RunPhase::Running);
    QCOMPARE(state.ranks[1].pid, 1001);
    state.apply(event(RunEvent::Kind::ProcessExited, 0, ExitStatus{}));
    QCOMPARE(state.ranks[0].phase, RankPhase::Exited);
    state.apply(event(RunEvent::Kind::ProcessExited, 1, ExitStatus{ExitStatus::Kind::Exited, 3}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Failed);
    QCOMPARE(state.count(RankPhase::Exited), 1);
    RunEvent end = event(RunEvent::Kind::Finished, -1, ExitStatus{ExitStatus::Kind::Exited, 3});
    end.text = Sentence(QStringLiteral("failed"));
    state.apply(end);
    QCOMPARE(state.phase, RunPhase::Failed);
    QCOMPARE(state.exitCode, 3);
    QVERIFY(state.ended.isValid());
}

void RunStateTest::aRunIsStartingWhileAHookRuns()
{
    RunState state = twoRanks();
    RunEvent hook = event(RunEvent::Kind::HookStarted);
    hook.text = Sentence(QStringLiteral("it waits for this"));
    state.apply(hook);
    state.apply(event(RunEvent::Kind::HookExited, -1, ExitStatus{ExitStatus::Kind::Exited, 3}));
    QCOMPARE(state.phase, RunPhase::Starting);
    QCOMPARE(state.notes, QStringList{hook.text});
}

void RunStateTest::aRankThatEndsWhileStoppingDidNotFail()
{
    RunState state = twoRanks();
    state.apply(event(RunEvent::Kind::ProcessStarted, 0));
    state.apply(event(RunEvent::Kind::TearDown));
    QCOMPARE(state.phase, RunPhase::Stopping);
    state.apply(event(RunEvent::Kind::ProcessExited, 0, ExitStatus{ExitStatus::Kind::Signalled, SIGTERM}));
    QCOMPARE(state.ranks[0].phase, RankPhase::Ended);
}

void RunStateTest::aRankThatIsStartedAgainHasAnotherLife()
{
    RunState state = twoRanks();
    for (const int process : {0, 1})
        state.apply(event(RunEvent::Kind::ProcessStarted, process));
    QCOMPARE(state.ranks[1].startAnswers.count, 0);
    state.apply(event(RunEvent::Kind::ProcessStopRequested, 1));
    state.apply(event(RunEvent::Kind::ProcessExited, 1, ExitStatus{ExitStatus::Kind::Signalled, SIGTERM}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Stopped);
    RunEvent refused = event(RunEvent::Kind::StartRefused, 1);
    refused.text = Sentence(QStringLiteral("Only ranks can be started again."));
    state.apply(refused);
    QCOMPARE(state.ranks[1].startAnswers.problem, refused.text);
    QCOMPARE(state.notes, QStringList{refused.text});
    RunEvent again = event(RunEvent::Kind::ProcessStarted, 1);
    again.logged = {70, 8};
    state.apply(*RunEvent::fromLine(again.toLine()));
    QCOMPARE(state.ranks[1].phase, RankPhase::Running);
    QVERIFY(!state.ranks[1].status && !state.ranks[1].ended.isValid() && !state.ranks[1].stopRequested);
    QCOMPARE(state.ranks[1].begin, (LogLengths{70, 8}));
    QCOMPARE(state.ranks[1].startAnswers.count, 2);
    QVERIFY(state.ranks[1].startAnswers.problem.isEmpty());
    state.apply(event(RunEvent::Kind::ProcessExited, 1, ExitStatus{ExitStatus::Kind::Exited, 3}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Failed);
}

void RunStateTest::aRankThatCannotBeStartedAgainHasFailed()
{
    RunState state = twoRanks();
    for (const int process : {0, 1})
        state.apply(event(RunEvent::Kind::ProcessStarted, process));
    state.apply(event(RunEvent::Kind::ProcessStopRequested, 1));
    state.apply(event(RunEvent::Kind::ProcessExited, 1, ExitStatus{ExitStatus::Kind::Signalled, SIGTERM}));
    RunEvent failed =
        event(RunEvent::Kind::ProcessNotStarted, 1, ExitStatus{ExitStatus::Kind::NotStarted, ENOENT});
    failed.text = Sentence(QStringLiteral("python3: no such file"));
    state.apply(failed);
    QCOMPARE(state.ranks[1].phase, RankPhase::Failed);
    QCOMPARE(state.ranks[1].startAnswers.problem, failed.text);
}

void RunStateTest::aRestartBeginsAnew()
{
    LaunchPlan plan;
    plan.maxRestarts = 3;
    plan.processes.resize(2);
    plan.processes[1].logFile = QStringLiteral("/l/attempt_{attempt}/1");
    RunState state;
    state.setPlan(plan);
    QCOMPARE(state.ranks.size(), size_t(2));
    QCOMPARE(state.plan->processes[1].logFile, QStringLiteral("/l/attempt_0/1"));
    state.apply(event(RunEvent::Kind::ProcessStarted, 0));
    state.apply(event(RunEvent::Kind::ProcessStarted, 1));
    state.apply(event(RunEvent::Kind::ProcessExited, 0, ExitStatus{ExitStatus::Kind::Exited, 3}));
    state.apply(event(RunEvent::Kind::TearDown));
    RunEvent restart = event(RunEvent::Kind::Restart);
    restart.attempt = 2;
    restart.text = Sentence(QStringLiteral("why"));
    const auto again = RunEvent::fromLine(restart.toLine());
    QVERIFY(again);
    state.apply(*again);
    QCOMPARE(state.attempt, 2);
    QCOMPARE(state.phase, RunPhase::Starting);
    QCOMPARE(state.count(RankPhase::Waiting), 2);
    QVERIFY(!state.ranks[0].status);
    QCOMPARE(state.notes.last(), QStringLiteral("why"));
    QCOMPARE(state.plan->processes[1].logFile, QStringLiteral("/l/attempt_2/1"));
    state.apply(event(RunEvent::Kind::ProcessStarted, 0));
    QCOMPARE(state.phase, RunPhase::Running);
}

void RunStateTest::ranksThatAreFoundJoinThePlan()
{
    LaunchPlan plan;
    plan.processes.resize(1);
    plan.processes[0].role = Role::Console;
    RunState state;
    state.setPlan(plan);
    state.apply(event(RunEvent::Kind::ProcessStarted, 0));
    plan.processes.resize(2);
    plan.processes[1].isFound = true;
    state.replacePlan(plan);
    QCOMPARE(state.ranks.size(), size_t(2));
    QCOMPARE(state.ranks[0].phase, RankPhase::Running);
    QCOMPARE(state.ranks[1].phase, RankPhase::Waiting);
    state.apply(event(RunEvent::Kind::ProcessStarted, 1));
    state.apply(event(RunEvent::Kind::ProcessExited, 1, ExitStatus{ExitStatus::Kind::Unknown, 0}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Unknown);
    QCOMPARE(state.ranks[1].status->text(), QStringLiteral("exit code unknown"));
    // Its launcher has started it again.
    state.apply(event(RunEvent::Kind::ProcessStarted, 1));
    QCOMPARE(state.ranks[1].phase, RankPhase::Running);
    QVERIFY(!state.ranks[1].status);
}

void RunStateTest::aStallLastsUntilItsRanksGoOnOrEnd()
{
    RunEvent stalled = event(RunEvent::Kind::Stalled);
    stalled.text = Sentence(QStringLiteral("Ranks 0-1 have been silent."));
    stalled.silences = {{0, 1000}, {1, 2000}};
    RunState state = twoRanks();
    state.apply(stalled);
    QVERIFY(state.stall);
    QCOMPARE(state.silentSince(1).toMSecsSinceEpoch(), 2000);
    QVERIFY(!state.silentSince(7).isValid());
    QCOMPARE(state.notes, QStringList{stalled.text});
    RunState other = state;
    other.apply(event(RunEvent::Kind::StallEnded));
    QVERIFY(!other.stall && !other.silentSince(1).isValid());

    state.apply(event(RunEvent::Kind::ProcessExited, 0, ExitStatus{}));
    QVERIFY(state.stall);
    QVERIFY(!state.silentSince(0).isValid());
    state.apply(event(RunEvent::Kind::ProcessExited, 1, ExitStatus{}));
    QVERIFY(!state.stall);
    for (const RunEvent::Kind kind : {RunEvent::Kind::StopRequested, RunEvent::Kind::TearDown,
                                      RunEvent::Kind::Restart, RunEvent::Kind::Finished}) {
        state.apply(stalled);
        state.apply(event(kind));
        QVERIFY(!state.stall);
    }
}

void RunStateTest::anAlarmOfAnNpuLastsUntilItIsWell()
{
    RunState state = twoRanks();
    const auto apply = [&](RunEvent::Kind kind, int process, const char *text) {
        RunEvent made = event(kind, process);
        made.text = Sentence(QLatin1String(text));
        state.apply(made);
    };
    apply(RunEvent::Kind::DeviceAlarm, 1, "hot");
    apply(RunEvent::Kind::DeviceAlarm, 1, "hotter");
    apply(RunEvent::Kind::DeviceAlarm, -1, "another");
    apply(RunEvent::Kind::DeviceAlarm, 99, "nobody's");
    QCOMPARE(state.deviceAlarm(1), QStringLiteral("hotter"));
    QVERIFY(state.deviceAlarm(0).isEmpty());
    QVERIFY(state.deviceAlarm(-1).isEmpty());
    QCOMPARE(state.deviceAlarms.size(), 1);
    QCOMPARE(state.notes.mid(0, 3).join(QLatin1Char(' ')), QStringLiteral("hot hotter another"));
    // A chip stays ill whatever becomes of the processes.
    state.apply(event(RunEvent::Kind::Restart));
    QCOMPARE(state.deviceAlarm(1), QStringLiteral("hotter"));
    apply(RunEvent::Kind::DeviceWell, 1, "well");
    QVERIFY(state.deviceAlarm(1).isEmpty());
    QCOMPARE(state.notes.last(), QStringLiteral("well"));
}

void RunStateTest::silencesOfMoreThanARunAreNone()
{
    QByteArray line = R"({"event":"stalled","mono":1,"time":"","silences":[)";
    for (int time = 0; time < 1000; ++time)
        line += R"({"processes":"0-65535","since":)" + QByteArray::number(time) + "},";
    line.chop(1);
    const auto read = RunEvent::fromLine(line + "]}");
    QVERIFY(read && read->silences.isEmpty());
}

void RunStateTest::eventsOfNoProcessHarmNothing()
{
    RunState state = twoRanks();
    for (const int process : {-1, 2, 1000000})
        state.apply(event(RunEvent::Kind::ProcessExited, process, ExitStatus{}));
    QCOMPARE(state.count(RankPhase::Waiting), 2);
}

void RunStateTest::aPidIsOfThisMachine()
{
    RunState state = twoRanks();
    auto plan = std::make_shared<LaunchPlan>();
    state.plan = plan;
    state.apply(event(RunEvent::Kind::ProcessStarted, 1));
    QCOMPARE(state.endOf(1001, {}).value().process, 1);
    QVERIFY(!state.endOf(1000, {}));
    plan->transport = QStringLiteral("ssh");
    QVERIFY(!state.endOf(1001, {}));
    plan->transport = QStringLiteral("local");
    QVERIFY(state.endOf(1001, {}));
}

void RunStateTest::phaseWordsReadBack()
{
    for (int phase = 0; phase <= static_cast<int>(RunPhase::Lost); ++phase)
        QVERIFY(phaseFromWord(phaseWord(static_cast<RunPhase>(phase))) == static_cast<RunPhase>(phase));
    QVERIFY(!phaseFromWord(QStringLiteral("dancing")));
}

void RunStateTest::aRankThatEndsByItselfIsToldFromAStoppedOne_data()
{
    using Kind = ExitStatus::Kind;
    QTest::addColumn<ExitStatus>("status");
    QTest::addColumn<bool>("runFailed");
    QTest::addColumn<QString>("word");
    QTest::newRow("exit 1") << ExitStatus{Kind::Exited, 1} << true << QStringLiteral("failed");
    QTest::newRow("crash") << ExitStatus{Kind::Signalled, SIGSEGV} << true << QStringLiteral("failed");
    QTest::newRow("SIGTERM") << ExitStatus{Kind::Signalled, SIGTERM} << true << QStringLiteral("stopped");
    QTest::newRow("SIGKILL") << ExitStatus{Kind::Signalled, SIGKILL} << true << QStringLiteral("stopped");
    QTest::newRow("a shell's code of SIGTERM")
        << ExitStatus{Kind::Exited, 143} << true << QStringLiteral("stopped");
    QTest::newRow("exit 1 after a stop") << ExitStatus{Kind::Exited, 1} << false << QStringLiteral("stopped");
}

void RunStateTest::aRankThatEndsByItselfIsToldFromAStoppedOne()
{
    QFETCH(ExitStatus, status);
    QFETCH(bool, runFailed);
    RunState state;
    if (runFailed)
        state.failure = Failure();
    RankState rank;
    rank.phase = RankPhase::Ended;
    rank.status = status;
    QTEST(shownWord(state.shownPhase(rank)), "word");
    // Nobody saw how it ended.
    rank.status.reset();
    QCOMPARE(shownWord(state.shownPhase(rank)), QStringLiteral("lost"));
}

} // namespace tst_runstate

RANKDECK_TEST(tst_runstate, RunStateTest)
#include "tst_runstate.moc"

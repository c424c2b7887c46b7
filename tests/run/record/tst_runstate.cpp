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
    void aLineIsAsEarlierVersionsReadIt_data();
    void aLineIsAsEarlierVersionsReadIt();
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
    void ranksOfAnAdoptedRunEndInTheStallThatSomebodyLookedAt();
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
    template <typename Kind>
    static RunEvent event(const Kind &kind = {})
    {
        return RunEvent::now(kind);
    }
    static RunEvent started(int process) { return event(events::ProcessStarted{process, 1000 + process}); }
    static RunEvent exited(int process, const ExitStatus &status = {})
    {
        return event(events::ProcessExited{process, 1000 + process, status});
    }
};

/// Returns an event of each kind.
template <std::size_t... at>
static std::vector<AnyEvent> allKinds(std::index_sequence<at...>)
{
    return {AnyEvent(std::in_place_index<at>)...};
}

/// Gives each member that the kind has a value.
static void fill(auto &kind)
{
    if constexpr (requires { kind.process; })
        kind.process = 1;
    if constexpr (requires { kind.attempt; })
        kind.attempt = 2;
    if constexpr (requires { kind.pid; })
        kind.pid = 1001;
    if constexpr (requires { kind.status; })
        kind.status = ExitStatus{ExitStatus::Kind::Signalled, SIGKILL};
    if constexpr (requires { kind.text; })
        kind.text = Sentence(u"line\nwith \"quotes\" 中"_s);
    if constexpr (requires { kind.silences; })
        kind.silences = {{0, 1000}, {1, 1000}, {2, 1000}, {7, 5000}};
    if constexpr (requires { kind.file; }) {
        kind.file = u"stacks/a.txt"_s;
        kind.stacks = u"#0 poll\n"_s;
    }
    if constexpr (requires { kind.logged; })
        kind.logged = {7, 8};
    if constexpr (requires { kind.prompt; })
        kind.prompt = RankPrompt{u"(Pdb)"_s, u"/a b.py"_s, 12, u"f"_s, {}, 0};
    if constexpr (requires { kind.plan; })
        kind.plan = u"{}"_s;
    if constexpr (requires { kind.job; })
        kind.job = u"17"_s;
    if constexpr (requires { kind.command; })
        kind.command = u"mount /data"_s;
    if constexpr (requires { kind.hold; })
        kind.hold = Hold::Traced;
    if constexpr (requires { kind.phase; }) {
        kind.phase = RunPhase::Stopped;
        kind.exitCode = 3;
    }
}

void RunStateTest::anEventRoundTripsThroughItsLine_data()
{
    QTest::addColumn<RunEvent>("made");
    for (AnyEvent what : allKinds(std::make_index_sequence<std::variant_size_v<AnyEvent>>())) {
        const char *word = std::visit([](const auto &kind) { return kind.word; }, what);
        std::visit([](auto &kind) { fill(kind); }, what);
        QTest::newRow(word) << RunEvent::now(what, u"n"_s);
    }
}

void RunStateTest::anEventRoundTripsThroughItsLine()
{
    QFETCH(const RunEvent, made);
    const QByteArray line = made.toLine();
    QVERIFY(!line.contains('\n'));
    const auto again = RunEvent::fromLine(line);
    QVERIFY(again);
    QCOMPARE(again->what.index(), made.what.index());
    QCOMPARE(again->process(), made.process());
    QCOMPARE(again->text(), made.text());
    QVERIFY(again->status() == made.status());
    QCOMPARE(again->node, made.node);
    QCOMPARE(again->monotonicNs, made.monotonicNs);
    QCOMPARE(again->wall.toMSecsSinceEpoch(), made.wall.toMSecsSinceEpoch());
    QCOMPARE(again->toLine(), line);
    // An earlier version may have left out what the kind says today.
    const QByteArray word = QTest::currentDataTag();
    const auto bare = RunEvent::fromLine("{\"event\":\"" + word + R"(","mono":1,"time":""})");
    QVERIFY(bare && bare->what.index() == made.what.index());
}

void RunStateTest::aLineIsAsEarlierVersionsReadIt_data()
{
    QTest::addColumn<QByteArray>("begin");
    QTest::addColumn<QByteArray>("end");
    const auto row = [](const char *word, const char *end, const char *begin = "") {
        QTest::newRow(word) << QByteArray(begin) << QByteArray(end);
    };
    row("allocation", R"(,"pid":9,"text":"17",)");
    row("agent-started", R"(,"node":"n","pid":9,)");
    row("link-lost", R"(,"node":"n","said":"","text":"why",)");
    row("agent-ends", R"(,"node":"n","status":{"signal":15},)");
    row("process-started", R"(,"logged":[70,8],"mono":1,"node":"n","pid":9,"process":3,)");
    row("process-not-started", R"(,"node":"n","process":3,"said":"","status":{"errno":2},"text":"why",)");
    row("process-exited", R"(,"node":"n","pid":9,"process":3,"status":{"exit":3},)");
    row("stop-requested", R"(,"said":["Stop was requested."],"text":"Stop was requested.",)");
    row("process-added", R"(,"process":8,"text":"{}",)");
    row("rank-found", R"(,"node":"n","pid":9,"text":"{}",)");
    row("signal-sent", R"(,"node":"n","pid":9,"process":3,"status":{"signal":10},)");
    row("process-held", R"(,"node":"n","pid":9,"process":3,"text":"traced",)");
    row("hook-exited", R"(,"node":"n","pid":9,"status":{"exit":0},"text":"mount /data",)");
    row("restart", R"(,"said":"","text":"why",)", R"("attempt":1,)");
    row("stalled", R"(,"said":"","silences":[{"processes":"0-2","since":1000},)"
                   R"({"processes":"7","since":5000}],"text":"why",)");
    row("stacks-dumped",
        R"(,"file":"stacks/a.txt","mono":1,"node":"n","pid":9,"process":3,"stacks":"#0 poll",)");
    row("at-prompt", R"(,"process":3,"prompt":{"file":"/a.py","function":"f","line":12,"word":">>>"},)");
    row("finished", R"(,"status":{"exit":3},"text":"stopped",)");
}

void RunStateTest::aLineIsAsEarlierVersionsReadIt()
{
    QFETCH(const QByteArray, begin);
    QFETCH(const QByteArray, end);
    const QByteArray mono = end.contains("mono") ? QByteArray() : QByteArray(R"(,"mono":1)");
    const QByteArray line = '{' + begin + R"("event":")" + QTest::currentDataTag() + '"' + mono + end +
                            R"("time":"2026-01-31T14:03:59.000Z"})";
    const auto event = RunEvent::fromLine(line);
    QVERIFY(event);
    QCOMPARE(event->toLine(), line);
}

void RunStateTest::aTornOrForeignLineIsNoEvent()
{
    const QByteArray line = event<events::Note>().toLine();
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
    QCOMPARE((ExitStatus{ExitStatus::Kind::Exited, 3}).text(), u"exit code 3"_s);
    QCOMPARE((ExitStatus{ExitStatus::Kind::Signalled, SIGSEGV}).text(), u"SIGSEGV"_s);
    QVERIFY(ExitStatus{}.isSuccess());
}

void RunStateTest::aRunLivesThroughItsEvents()
{
    RunState state = twoRanks();
    QCOMPARE(state.phase, RunPhase::Starting);
    state.apply(started(0));
    state.apply(started(1));
    QCOMPARE(state.phase, RunPhase::Running);
    QCOMPARE(state.ranks[1].pid, 1001);
    state.apply(exited(0));
    QCOMPARE(state.ranks[0].phase, RankPhase::Exited);
    state.apply(exited(1, {ExitStatus::Kind::Exited, 3}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Failed);
    QCOMPARE(state.count(RankPhase::Exited), 1);
    state.apply(event(events::Finished{RunPhase::Failed, 3}));
    QCOMPARE(state.phase, RunPhase::Failed);
    QCOMPARE(state.exitCode, 3);
    QVERIFY(state.ended.isValid());
}

void RunStateTest::aRunIsStartingWhileAHookRuns()
{
    RunState state = twoRanks();
    const Sentence text(u"it waits for this"_s);
    state.apply(event(events::HookStarted{0, text}));
    state.apply(event(events::HookExited{0, ExitStatus{ExitStatus::Kind::Exited, 3}}));
    QCOMPARE(state.phase, RunPhase::Starting);
    QCOMPARE(state.notes, QStringList{text});
}

void RunStateTest::aRankThatEndsWhileStoppingDidNotFail()
{
    RunState state = twoRanks();
    state.apply(started(0));
    state.apply(event<events::TearDown>());
    QCOMPARE(state.phase, RunPhase::Stopping);
    state.apply(exited(0, {ExitStatus::Kind::Signalled, SIGTERM}));
    QCOMPARE(state.ranks[0].phase, RankPhase::Ended);
}

void RunStateTest::aRankThatIsStartedAgainHasAnotherLife()
{
    RunState state = twoRanks();
    for (const int process : {0, 1})
        state.apply(started(process));
    QCOMPARE(state.ranks[1].startAnswers.count, 0);
    state.apply(event(events::ProcessStopRequested{1}));
    state.apply(exited(1, {ExitStatus::Kind::Signalled, SIGTERM}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Stopped);
    const Sentence why(u"Only ranks can be started again."_s);
    state.apply(event(events::StartRefused{1, why}));
    QCOMPARE(state.ranks[1].startAnswers.problem, why);
    QCOMPARE(state.notes, QStringList{why});
    const RunEvent again = event(events::ProcessStarted{1, 1001, {70, 8}});
    state.apply(*RunEvent::fromLine(again.toLine()));
    QCOMPARE(state.ranks[1].phase, RankPhase::Running);
    QVERIFY(!state.ranks[1].status && !state.ranks[1].ended.isValid() && !state.ranks[1].stopRequested);
    QCOMPARE(state.ranks[1].begin, (LogLengths{70, 8}));
    QCOMPARE(state.ranks[1].startAnswers.count, 2);
    QVERIFY(state.ranks[1].startAnswers.problem.isEmpty());
    state.apply(exited(1, {ExitStatus::Kind::Exited, 3}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Failed);
}

void RunStateTest::aRankThatCannotBeStartedAgainHasFailed()
{
    RunState state = twoRanks();
    for (const int process : {0, 1})
        state.apply(started(process));
    state.apply(event(events::ProcessStopRequested{1}));
    state.apply(exited(1, {ExitStatus::Kind::Signalled, SIGTERM}));
    state.apply(event(events::ProcessNotStarted{1, ExitStatus{ExitStatus::Kind::NotStarted, ENOENT},
                                                Sentence(u"python3: no such file"_s)}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Failed);
    QCOMPARE(state.ranks[1].startAnswers.problem, u"python3: no such file"_s);
}

void RunStateTest::aRestartBeginsAnew()
{
    LaunchPlan plan;
    plan.maxRestarts = 3;
    plan.processes.resize(2);
    plan.processes[1].logFile = u"/l/attempt_{attempt}/1"_s;
    RunState state;
    state.setPlan(plan);
    QCOMPARE(state.ranks.size(), size_t(2));
    QCOMPARE(state.plan->processes[1].logFile, u"/l/attempt_0/1"_s);
    state.apply(started(0));
    state.apply(started(1));
    state.apply(exited(0, {ExitStatus::Kind::Exited, 3}));
    state.apply(event<events::TearDown>());
    const RunEvent restart = event(events::Restart{2, Sentence(u"why"_s)});
    const auto again = RunEvent::fromLine(restart.toLine());
    QVERIFY(again);
    state.apply(*again);
    QCOMPARE(state.attempt, 2);
    QCOMPARE(state.earlier.size(), std::size_t(1));
    QCOMPARE(state.earlier.front()->attempt, 0);
    QCOMPARE(state.earlier.front()->ranks[0].status->number, 3);
    QCOMPARE(state.phase, RunPhase::Starting);
    QCOMPARE(state.count(RankPhase::Waiting), 2);
    QVERIFY(!state.ranks[0].status);
    QCOMPARE(state.notes.last(), u"why"_s);
    QCOMPARE(state.plan->processes[1].logFile, u"/l/attempt_2/1"_s);
    state.apply(started(0));
    QCOMPARE(state.phase, RunPhase::Running);
}

void RunStateTest::ranksThatAreFoundJoinThePlan()
{
    LaunchPlan plan;
    plan.processes.resize(1);
    plan.processes[0].role = Role::Console;
    RunState state;
    state.setPlan(plan);
    state.apply(started(0));
    plan.processes.resize(2);
    plan.processes[1].isFound = true;
    state.replacePlan(plan);
    QCOMPARE(state.ranks.size(), size_t(2));
    QCOMPARE(state.ranks[0].phase, RankPhase::Running);
    QCOMPARE(state.ranks[1].phase, RankPhase::Waiting);
    state.apply(started(1));
    state.apply(exited(1, {ExitStatus::Kind::Unknown, 0}));
    QCOMPARE(state.ranks[1].phase, RankPhase::Unknown);
    QCOMPARE(state.ranks[1].status->text(), u"exit code unknown"_s);
    // Its launcher has started it again.
    state.apply(started(1));
    QCOMPARE(state.ranks[1].phase, RankPhase::Running);
    QVERIFY(!state.ranks[1].status);
}

void RunStateTest::aStallLastsUntilItsRanksGoOnOrEnd()
{
    const RunEvent stalled =
        event(events::Stalled{Sentence(u"Ranks 0-1 have been silent."_s), {{0, 1000}, {1, 2000}}, u"1"_s});
    RunState state = twoRanks();
    state.apply(stalled);
    QCOMPARE(RunEvent::fromLine(stalled.toLine())->as<events::Stalled>()->named, u"1"_s);
    QVERIFY(state.stall);
    QCOMPARE(state.silentSince(1).toMSecsSinceEpoch(), 2000);
    QVERIFY(!state.silentSince(7).isValid());
    QCOMPARE(state.notes, QStringList{stalled.text()});
    RunState other = state;
    other.apply(event<events::StallEnded>());
    QVERIFY(!other.stall && !other.silentSince(1).isValid());

    state.apply(exited(0));
    QVERIFY(state.stall);
    QVERIFY(!state.silentSince(0).isValid());
    state.apply(exited(1));
    QVERIFY(!state.stall);
    const std::size_t again = AnyEvent(events::Restart()).index();
    for (const AnyEvent &what : std::initializer_list<AnyEvent>{events::StopRequested(), events::TearDown(),
                                                                events::Restart(), events::Finished()}) {
        state.apply(stalled);
        state.apply(RunEvent::now(what));
        QVERIFY(!state.stall);
        // Another attempt begins without one.
        QCOMPARE(state.endStall ? state.endStall->silentSince.size() : 0, what.index() == again ? 0 : 2);
    }
}

void RunStateTest::ranksOfAnAdoptedRunEndInTheStallThatSomebodyLookedAt()
{
    const RunEvent stalled =
        event(events::Stalled{Sentence(u"Rank 1 has been silent."_s), {{1, 1000}}, u"1"_s});
    const RunEvent looked = event(events::StacksDumped{1, 4711, {}, {}, u"stacks/rank-1.txt"_s});
    for (const bool isAdopted : {true, false}) {
        for (const bool isLookedAt : {true, false}) {
            RunState state = twoRanks();
            LaunchPlan plan;
            plan.processes.resize(2);
            if (isAdopted)
                plan.adopted = AdoptedProcess{4711, 1, {}};
            state.plan = std::make_shared<const LaunchPlan>(plan);
            state.apply(stalled);
            if (isLookedAt)
                state.apply(looked);
            state.apply(exited(1, {ExitStatus::Kind::Unknown, 0}));
            QCOMPARE(state.endStall.has_value(), isAdopted && isLookedAt);
        }
    }
}

void RunStateTest::anAlarmOfAnNpuLastsUntilItIsWell()
{
    RunState state = twoRanks();
    const auto alarm = [&](int process, const QString &text) {
        state.apply(event(events::DeviceAlarm{process, Sentence(text)}));
    };
    alarm(1, u"hot"_s);
    alarm(1, u"hotter"_s);
    alarm(-1, u"another"_s);
    alarm(99, u"nobody's"_s);
    QCOMPARE(state.deviceAlarm(1), u"hotter"_s);
    QVERIFY(state.deviceAlarm(0).isEmpty());
    QVERIFY(state.deviceAlarm(-1).isEmpty());
    QCOMPARE(state.deviceAlarms.size(), 1);
    QCOMPARE(state.notes.mid(0, 3).join(' '_L1), u"hot hotter another"_s);
    // A chip stays ill whatever becomes of the processes.
    state.apply(event<events::Restart>());
    QCOMPARE(state.deviceAlarm(1), u"hotter"_s);
    state.apply(event(events::DeviceWell{1, Sentence(u"well"_s)}));
    QVERIFY(state.deviceAlarm(1).isEmpty());
    QCOMPARE(state.notes.last(), u"well"_s);
}

void RunStateTest::silencesOfMoreThanARunAreNone()
{
    QByteArray line = R"({"event":"stalled","mono":1,"time":"","silences":[)";
    for (int time = 0; time < 1000; ++time)
        line += R"({"processes":"0-65535","since":)" + QByteArray::number(time) + "},";
    line.chop(1);
    const auto read = RunEvent::fromLine(line + "]}");
    QVERIFY(read && read->as<events::Stalled>()->silences.isEmpty());
}

void RunStateTest::eventsOfNoProcessHarmNothing()
{
    RunState state = twoRanks();
    for (const int process : {-1, 2, 1000000})
        state.apply(exited(process));
    QCOMPARE(state.count(RankPhase::Waiting), 2);
}

void RunStateTest::aPidIsOfThisMachine()
{
    RunState state = twoRanks();
    auto plan = std::make_shared<LaunchPlan>();
    state.plan = plan;
    state.apply(started(1));
    QCOMPARE(state.endOf(1001, {}).value().process(), 1);
    QVERIFY(!state.endOf(1000, {}));
    plan->transport = u"ssh"_s;
    QVERIFY(!state.endOf(1001, {}));
    plan->transport = u"local"_s;
    QVERIFY(state.endOf(1001, {}));
}

void RunStateTest::phaseWordsReadBack()
{
    for (int phase = 0; phase <= static_cast<int>(RunPhase::Lost); ++phase)
        QVERIFY(phaseFromWord(phaseWord(static_cast<RunPhase>(phase))) == static_cast<RunPhase>(phase));
    QVERIFY(!phaseFromWord(u"dancing"_s));
}

void RunStateTest::aRankThatEndsByItselfIsToldFromAStoppedOne_data()
{
    using Kind = ExitStatus::Kind;
    QTest::addColumn<ExitStatus>("status");
    QTest::addColumn<bool>("runFailed");
    QTest::addColumn<QString>("word");
    QTest::newRow("exit 1") << ExitStatus{Kind::Exited, 1} << true << u"failed"_s;
    QTest::newRow("crash") << ExitStatus{Kind::Signalled, SIGSEGV} << true << u"failed"_s;
    QTest::newRow("SIGTERM") << ExitStatus{Kind::Signalled, SIGTERM} << true << u"stopped"_s;
    QTest::newRow("SIGKILL") << ExitStatus{Kind::Signalled, SIGKILL} << true << u"stopped"_s;
    QTest::newRow("a shell's code of SIGTERM") << ExitStatus{Kind::Exited, 143} << true << u"stopped"_s;
    QTest::newRow("exit 1 after a stop") << ExitStatus{Kind::Exited, 1} << false << u"stopped"_s;
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
    QCOMPARE(shownWord(state.shownPhase(rank)), u"lost"_s);
}

} // namespace tst_runstate

RANKDECK_TEST(tst_runstate, RunStateTest)
#include "tst_runstate.moc"

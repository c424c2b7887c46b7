#include "agent/supervise/runpolicy.h"
#include "launch/plan/launchplan.h"
#include "support/testmain.h"

#include <QRandomGenerator>
#include <QTest>

#include <cerrno>
#include <csignal>

namespace tst_runpolicy
{

using namespace rankdeck;

using Events = std::vector<PolicyEvent>;

/// The plan of a launch on two nodes: the second half of the ranks is on node b.
struct Launch {
    int ranks = 2;
    int restarts = 0;
    bool destroys = true;
    bool takesEvidence = false;
    bool hasScheduler = false; ///< After the ranks, on node a.
    bool isPart = false;       ///< There are workers on nodes that the launch does not start.
    bool isWrapped = false;    ///< The first process is a command, the others are found.
    bool isAdopted = false;    ///< Wrapped, and not started by Rankdeck.
};

PolicyState stateOf(const Launch &launch)
{
    auto plan = std::make_shared<LaunchPlan>();
    plan->destroyWhenFinished = launch.destroys;
    plan->maxRestarts = launch.restarts;
    plan->graceSeconds = 7;
    plan->totalRanks = launch.isPart ? 2 * launch.ranks : launch.ranks;
    plan->processes.resize(std::size_t(launch.ranks));
    for (int rank = 0; rank < launch.ranks; ++rank) {
        ProcessPlan &process = plan->processes[std::size_t(rank)];
        process.rank = Rank(rank);
        process.node = 2 * rank < launch.ranks ? u"a"_s : u"b"_s;
        process.isFound = launch.isWrapped && rank > 0;
    }
    if (launch.isWrapped)
        plan->processes.front().role = Role::Console;
    if (launch.isAdopted)
        plan->adopted.emplace();
    if (launch.hasScheduler) {
        ProcessPlan scheduler;
        scheduler.role = Role::Scheduler;
        scheduler.node = u"a"_s;
        plan->processes.push_back(scheduler);
    }
    PolicyState state;
    state.takesEvidence = launch.takesEvidence;
    runPolicy(state, heard::Planned{plan});
    return state;
}

QDateTime second(int number)
{
    return QDateTime::fromSecsSinceEpoch(1'700'000'000 + number);
}

// Events, in few words. Ends of processes come a second after each other.

heard::ProcessStarted start(int process)
{
    return {process, false};
}

heard::ProcessStarted startAgain(int process)
{
    return {process, true};
}

heard::ProcessEnded exits(int process, int code, int when = 0)
{
    return {{process, 100 + process, {ExitStatus::Kind::Exited, code}, {}, second(when)}};
}

heard::ProcessEnded killed(int process, int signal)
{
    return {{process, 100 + process, {ExitStatus::Kind::Signalled, signal}, {}, second(0)}};
}

heard::ProcessEnded cannotStart(int process)
{
    return {{process, 0, {ExitStatus::Kind::NotStarted, ENOENT}, Sentence(u"no such file"_s), second(0)}};
}

heard::StartRequested restart(const QList<int> &processes)
{
    return {processes};
}

heard::EndRequested end(const QList<int> &processes, bool isKill = false)
{
    return {processes, isKill};
}

heard::ProcessSurvived survives(int process)
{
    return {u"b"_s,
            {process, 100 + process, {ExitStatus::Kind::Unknown, 0}, Sentence(u"hangs"_s), second(0)}};
}

heard::EndOrdered ordered(int process)
{
    return {process};
}

heard::AgentLost lost(const char *node, int since = 0)
{
    return {QLatin1String(node), Sentence(u"lost"_s), Sentence(u"lost"_s), second(since)};
}

const heard::StopRequested stop{false, Sentence(u"stop"_s)};
const heard::StopRequested killAll{true, Sentence(u"kill"_s)};
const heard::EvidenceTaken evidence{};
const heard::AllEnded allEnded{};
const heard::NodesReleased released{};
const heard::NodesReleased releasedStalled{true};

heard::Judged judged(int code)
{
    return {code};
}

const heard::Judged judgedWell{};

QString numbers(const QList<int> &processes)
{
    QStringList words;
    for (const int process : processes)
        words << QString::number(process);
    return words.join(','_L1);
}

/// Says an effect in few words.
struct EffectWords {
    QString operator()(const effect::TakeEvidence &take) const
    {
        return u"evidence %1"_s.arg(take.end.process);
    }
    QString operator()(const effect::DropEvidence &) const { return u"no evidence"_s; }
    QString operator()(const effect::TearDown &down) const { return u"down: "_s + down.why; }
    QString operator()(const effect::TearDownAfter &down) const
    {
        return u"down after %1%2"_s.arg(down.end.process)
            .arg(QLatin1String(down.startsAgain ? ", again" : ""));
    }
    QString operator()(const effect::StopRun &stopped) const { return stopped.why; }
    QString operator()(const effect::RecordFailure &failure) const
    {
        return failure.end ? u"record %1"_s.arg(failure.end->process) : u"record none"_s;
    }
    QString operator()(const effect::RecordHookFailure &) const { return u"record hook"_s; }
    QString operator()(const effect::RecordNodeFailure &failure) const
    {
        return u"record node %1 %2"_s.arg(failure.node).arg(failure.exitCode);
    }
    QString operator()(const effect::RecordJudgedFailure &) const { return u"record judged"_s; }
    QString operator()(const effect::LimitScheduler &limit) const
    {
        return u"limit %1 s"_s.arg(limit.seconds);
    }
    QString operator()(const effect::UnlimitScheduler &) const { return u"no limit"_s; }
    QString operator()(const effect::NoteScheduler &) const { return u"note scheduler"_s; }
    QString operator()(const effect::StartProcesses &starts) const
    {
        return u"start "_s + numbers(starts.processes);
    }
    QString operator()(const effect::RefuseStarts &refusal) const
    {
        return QLatin1String(refusal.why == effect::RefuseStarts::Why::RunEnds ? "refuse " : "stopped ") +
               numbers(refusal.processes);
    }
    QString operator()(const effect::EndProcesses &ends) const
    {
        return QLatin1String(ends.isKill ? "kill " : "end ") + numbers(ends.processes);
    }
    QString operator()(const effect::RefuseEnds &) const { return u"refuse ends"_s; }
    QString operator()(const effect::StartAttempt &attempt) const
    {
        return u"attempt %1 after %2"_s.arg(attempt.attempt).arg(attempt.cause.process);
    }
    QString operator()(const effect::ReleaseNodes &) const { return u"release"_s; }
    QString operator()(const effect::Conclude &) const { return u"conclude"_s; }
    QString operator()(const effect::Judge &) const { return u"judge"_s; }
    QString operator()(const effect::Finish &finish) const
    {
        return u"%1 %2"_s.arg(phaseWord(finish.phase)).arg(finish.exitCode);
    }
};

/// Decides about all events in turn; returns the words of what follows.
QStringList follow(PolicyState &state, const Events &events)
{
    QStringList words;
    for (const PolicyEvent &event : events) {
        for (const PolicyEffect &effect : runPolicy(state, event))
            words << std::visit(EffectWords(), effect);
    }
    return words;
}

Events operator+(Events first, const Events &second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

/// Decisions about the end of a run, without a process.
class RunPolicyTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void failures_data();
    void failures() { verify(); }
    void attempts_data();
    void attempts() { verify(); }
    void ranksStartedAgain_data();
    void ranksStartedAgain() { verify(); }
    void stops_data();
    void stops() { verify(); }
    void nodes_data();
    void nodes() { verify(); }
    void schedulers_data();
    void schedulers() { verify(); }
    void commands_data();
    void commands() { verify(); }
    void lastLives_data();
    void lastLives() { verify(); }
    void nothingFollowsTheEnd();
    void anyOrderOfEventsIsDecided();

private:
    static void addColumns();
    static void verify();
};

void RunPolicyTest::addColumns()
{
    QTest::addColumn<Launch>("launch");
    QTest::addColumn<Events>("events");
    QTest::addColumn<QString>("effects");
}

void RunPolicyTest::verify()
{
    QFETCH(const Launch, launch);
    QFETCH(const Events, events);
    PolicyState state = stateOf(launch);
    const QString effects = follow(state, events).join(u"; "_s);
    QTEST(effects, "effects");
}

const Events bothRun{start(0), start(1)};
const Events theEnd{allEnded, released};

void RunPolicyTest::failures_data()
{
    addColumns();
    QTest::newRow("none") << Launch{} << bothRun + Events{exits(1, 0), exits(0, 0)} + theEnd
                          << "release; conclude; succeeded 0";
    QTest::newRow("the first wins") << Launch{}
                                    << bothRun + Events{exits(1, 3), exits(0, 4)} + theEnd + Events{judged(3)}
                                    << "down after 1; record 1; release; conclude; judge; failed 3";
    QTest::newRow("ends of the torn down are none")
        << Launch{} << bothRun + Events{exits(1, 3), killed(0, SIGTERM)} + theEnd + Events{judged(3)}
        << "down after 1; record 1; release; conclude; judge; failed 3";
    QTest::newRow("evidence is taken first")
        << Launch{.takesEvidence = true}
        << bothRun + Events{exits(1, 3), exits(0, 4), evidence} + theEnd + Events{judged(3)}
        << "evidence 1; record 1; down after 1; release; conclude; judge; failed 3";
    QTest::newRow("the end does not wait for evidence")
        << Launch{.takesEvidence = true} << bothRun + Events{exits(1, 3), exits(0, 4)} + theEnd
        << "evidence 1; record 1; release; no evidence; conclude; judge";
    QTest::newRow("a stop does not wait for evidence")
        << Launch{.takesEvidence = true}
        << bothRun + Events{exits(1, 3), stop, evidence, exits(0, 0)} + theEnd
        << "evidence 1; record 1; stop; release; conclude; judge";
    QTest::newRow("not started: no evidence, no other attempt")
        << Launch{.restarts = 3, .takesEvidence = true}
        << Events{start(0), cannotStart(1), killed(0, SIGTERM)} + theEnd
        << "down after 1; record 1; release; conclude; judge";
    QTest::newRow("the others go on")
        << Launch{.destroys = false, .takesEvidence = true}
        << bothRun + Events{exits(1, 3), exits(0, 0)} + theEnd + Events{judged(3)}
        << "record 1; release; conclude; judge; failed 3";
    QTest::newRow("the others go on, but not without one that was never started")
        << Launch{.destroys = false} << Events{start(0), cannotStart(1)} << "down after 1; record 1";
    QTest::newRow("a hook") << Launch{.restarts = 1}
                            << Events{heard::HookFailed{u"a"_s, 5, {}, Sentence(u"hook"_s)},
                                      heard::HookFailed{u"b"_s, 6, {}, Sentence(u"hook"_s)}} +
                                   theEnd + Events{judged(1)}
                            << "down: hook; record hook; release; conclude; judge; failed 1";
}

void RunPolicyTest::attempts_data()
{
    addColumns();
    const Events failure{start(0), start(1), exits(1, 3), killed(0, SIGTERM), allEnded};
    QTest::newRow("one is left") << Launch{.restarts = 1}
                                 << failure + bothRun + Events{exits(0, 0), exits(1, 0)} + theEnd
                                 << "down after 1, again; attempt 1 after 1; release; conclude; succeeded 0";
    QTest::newRow("they are used up")
        << Launch{.restarts = 1} << failure + failure + Events{released, judged(3)}
        << "down after 1, again; attempt 1 after 1; down after 1; record 1; release; conclude; judge; failed "
           "3";
    QTest::newRow("the next begins without the evidence")
        << Launch{.restarts = 1, .takesEvidence = true} << failure
        << "evidence 1; no evidence; attempt 1 after 1";
    QTest::newRow("a stop comes before the next")
        << Launch{.restarts = 1} << bothRun + Events{exits(1, 3), stop, killed(0, SIGTERM)} + theEnd
        << "down after 1, again; stop; release; conclude; stopped 143";
    QTest::newRow("a stop comes while evidence is taken")
        << Launch{.restarts = 1, .takesEvidence = true}
        << bothRun + Events{exits(1, 3), stop, killed(0, SIGTERM), evidence} + theEnd
        << "evidence 1; stop; release; conclude; stopped 143";
    QTest::newRow("a stop comes before the next has started a process")
        << Launch{.restarts = 1} << failure + Events{stop} + theEnd
        << "down after 1, again; attempt 1 after 1; stop; release; conclude; stopped 143";
    QTest::newRow("an agent is lost before the next")
        << Launch{.restarts = 1} << bothRun + Events{exits(1, 3), lost("a")} + theEnd + Events{judged(1)}
        << "down after 1, again; record node a 1; release; conclude; judge; failed 1";
    QTest::newRow("an agent is lost while evidence is taken")
        << Launch{.restarts = 1, .takesEvidence = true} << bothRun + Events{exits(1, 3), lost("a"), evidence}
        << "evidence 1; record node a 1; no evidence; down: lost";
    QTest::newRow("the next is refused")
        << Launch{.restarts = 1}
        << failure + Events{heard::LaunchRefused{u"b"_s, Sentence(u"no"_s), Sentence(u"none"_s)}} + theEnd +
               Events{judged(2)}
        << "down after 1, again; attempt 1 after 1; record node b 2; down: none; release; conclude; judge; "
           "failed 2";
    QTest::newRow("none after a part was stopped")
        << Launch{.restarts = 1}
        << bothRun + Events{end({0}), ordered(0), killed(0, SIGTERM), exits(1, 3)} + theEnd
        << "end 0; down after 1; record 1; release; conclude; judge";
    QTest::newRow("a rank may be started again in the next")
        << Launch{.restarts = 1} << failure + bothRun + Events{restart({1})}
        << "down after 1, again; attempt 1 after 1; start 1";
}

void RunPolicyTest::ranksStartedAgain_data()
{
    addColumns();
    const Events bothSucceed = Events{exits(0, 0), exits(1, 0)} + theEnd;
    QTest::newRow("one that runs") << Launch{}
                                   << bothRun +
                                          Events{restart({1}), ordered(1), killed(1, SIGTERM),
                                                 startAgain(1)} +
                                          bothSucceed
                                   << "start 1; release; conclude; succeeded 0";
    QTest::newRow("two requests at once")
        << Launch{}
        << bothRun + Events{restart({1}), ordered(1), restart({1}), killed(1, SIGTERM), startAgain(1)} +
               bothSucceed
        << "start 1; release; conclude; succeeded 0";
    QTest::newRow("the second between end and start")
        << Launch{}
        << bothRun + Events{restart({1}), ordered(1), killed(1, SIGTERM), restart({1}), startAgain(1)} +
               bothSucceed
        << "start 1; release; conclude; succeeded 0";
    QTest::newRow("the second joins for one of its ranks")
        << Launch{} << bothRun + Events{restart({1}), ordered(1), restart({0, 1})} << "start 1; start 0";
    QTest::newRow("the second after the start")
        << Launch{}
        << bothRun + Events{restart({1}), ordered(1), killed(1, SIGTERM), startAgain(1),
                            restart({1}), ordered(1), killed(1, SIGTERM), startAgain(1)} +
               bothSucceed
        << "start 1; start 1; release; conclude; succeeded 0";
    QTest::newRow("a refused request is not joined")
        << Launch{} << bothRun + Events{restart({1}), heard::StartRefused{1}, restart({1})}
        << "start 1; start 1";
    QTest::newRow("nor one that the agent may have lost")
        << Launch{} << bothRun + Events{restart({0, 1}), heard::StartsForgotten{u"b"_s}, restart({0, 1})}
        << "start 0,1; start 1";
    QTest::newRow("its end after a refusal is a failure")
        << Launch{} << bothRun + Events{restart({1}), heard::StartRefused{1}, exits(1, 3)}
        << "start 1; down after 1; record 1";
    QTest::newRow("one that failed has not failed")
        << Launch{.destroys = false}
        << bothRun + Events{exits(1, 3), restart({1}), startAgain(1)} + bothSucceed
        << "record 1; start 1; record none; release; conclude; succeeded 0";
    QTest::newRow("the failure that is left, by time")
        << Launch{.ranks = 4, .destroys = false}
        << Events{start(0),       start(1),     start(2),      start(3),    exits(3, 3, 1), exits(2, 4, 3),
                  exits(1, 5, 2), restart({3}), startAgain(3), exits(3, 0), exits(0, 0)} +
               theEnd + Events{judged(5)}
        << "record 3; start 3; record 1; release; conclude; judge; failed 5";
    QTest::newRow("one that fails again")
        << Launch{}
        << bothRun + Events{restart({1}), ordered(1), killed(1, SIGTERM), startAgain(1), exits(1, 3)}
        << "start 1; down after 1; record 1";
    QTest::newRow("one that cannot be started again fails like any other")
        << Launch{.restarts = 1}
        << bothRun + Events{restart({1}), ordered(1), killed(1, SIGTERM), cannotStart(1)}
        << "start 1; down after 1, again";
    QTest::newRow("not while the run is stopped")
        << Launch{} << bothRun + Events{stop, restart({1})} << "stop; refuse 1";
    QTest::newRow("not while evidence is taken")
        << Launch{.takesEvidence = true} << bothRun + Events{exits(1, 3), restart({1}), startAgain(1)}
        << "evidence 1; record 1; refuse 1";
    QTest::newRow("a start that comes after all was torn down takes no failure back")
        << Launch{.destroys = false}
        << bothRun + Events{exits(1, 3), restart({1}), lost("a"), startAgain(1), killed(1, SIGTERM)} + theEnd
        << "record 1; start 1; down: lost; release; conclude; judge";
    QTest::newRow("an agent is lost meanwhile")
        << Launch{}
        << bothRun + Events{restart({1}), ordered(1), lost("b"), killed(0, SIGTERM)} + theEnd +
               Events{judged(1)}
        << "start 1; record node b 1; down: lost; release; conclude; judge; failed 1";
    QTest::newRow("the agent is lost between end and start")
        << Launch{} << bothRun + Events{restart({1}), ordered(1), killed(1, SIGTERM), lost("b"), restart({1})}
        << "start 1; record node b 1; down: lost; refuse 1";
    QTest::newRow("what the plan does not have is passed over")
        << Launch{} << bothRun + Events{restart({-1, 2, 1}), ordered(7), startAgain(9), exits(-1, 1)}
        << "start 1";
}

void RunPolicyTest::stops_data()
{
    addColumns();
    QTest::newRow("stop") << Launch{.restarts = 1}
                          << bothRun + Events{stop, killed(0, SIGTERM), exits(1, 3)} + theEnd
                          << "stop; release; conclude; stopped 143";
    QTest::newRow("kill") << Launch{} << bothRun + Events{killAll, killed(0, SIGKILL)} + theEnd
                          << "kill; release; conclude; stopped 137";
    QTest::newRow("a kill overtakes a stop") << Launch{} << bothRun + Events{stop, killAll} + theEnd
                                             << "stop; kill; release; conclude; stopped 143";
    QTest::newRow("a stop after a failure")
        << Launch{} << bothRun + Events{exits(1, 3), stop} + theEnd + Events{judged(3)}
        << "down after 1; record 1; stop; release; conclude; judge; failed 3";
    QTest::newRow("a rank survives it")
        << Launch{} << bothRun + Events{stop, exits(1, 0), survives(0)} + theEnd + Events{judged(1)}
        << "stop; release; record 0; conclude; judge; failed 1";
    QTest::newRow("a rank hangs, and ends after all")
        << Launch{}
        << bothRun + Events{end({0}, true), ordered(0), survives(0), killed(0, SIGKILL), exits(1, 0)} + theEnd
        << "kill 0; release; conclude; stopped 137";
    QTest::newRow("what a rank has started survives it")
        << Launch{}
        << bothRun + Events{stop, exits(0, 0), exits(1, 0), survives(-1)} + theEnd + Events{judged(1)}
        << "stop; release; record node b 1; conclude; judge; failed 1";
    QTest::newRow("before Slurm has answered")
        << Launch{} << Events{stop} + theEnd << "stop; release; conclude; stopped 143";
    QTest::newRow("some ranks") << Launch{}
                                << bothRun + Events{end({1}), ordered(1), killed(1, SIGTERM), exits(0, 0)} +
                                       theEnd
                                << "end 1; release; conclude; stopped 143";
    QTest::newRow("some ranks that exit with 0 then")
        << Launch{} << bothRun + Events{end({1}, true), ordered(1), exits(1, 0), exits(0, 0)} + theEnd
        << "kill 1; release; conclude; stopped 137";
    QTest::newRow("some ranks, and all are started again")
        << Launch{}
        << bothRun + Events{end({1}),      ordered(1),  killed(1, SIGTERM), restart({1}),
                            startAgain(1), exits(0, 0), exits(1, 0)} +
               theEnd
        << "end 1; start 1; release; conclude; succeeded 0";
    QTest::newRow("those that have ended are passed over")
        << Launch{} << bothRun + Events{exits(1, 0), end({1}), exits(0, 0)} + theEnd
        << "release; conclude; succeeded 0";
    QTest::newRow("one that waits for its start")
        << Launch{}
        << Events{start(0), end({1}), ordered(1), start(1), killed(1, SIGKILL), exits(0, 0)} + theEnd
        << "end 1; release; conclude; stopped 143";
    const Events restarted = bothRun + Events{restart({1}), ordered(1)};
    QTest::newRow("before a restart has ended the rank")
        << Launch{} << restarted + Events{end({1}), ordered(1), killed(1, SIGTERM), exits(0, 0)} + theEnd
        << "start 1; stopped 1; end 1; release; conclude; stopped 143";
    QTest::newRow("before a restart has started the rank")
        << Launch{}
        << restarted + Events{killed(1, SIGTERM), end({1}),           startAgain(1),
                              ordered(1),         killed(1, SIGTERM), exits(0, 0)} +
               theEnd
        << "start 1; stopped 1; end 1; release; conclude; stopped 143";
    QTest::newRow("before a restart is known to have ended and started the rank")
        << Launch{}
        << restarted + Events{end({1}),   ordered(1),         killed(1, SIGTERM), startAgain(1),
                              ordered(1), killed(1, SIGTERM), exits(0, 0)} +
               theEnd
        << "start 1; stopped 1; end 1; end 1; release; conclude; stopped 143";
    QTest::newRow("a kill before a restart has started the rank")
        << Launch{} << restarted + Events{killed(1, SIGTERM), end({1}), end({1}, true), startAgain(1)}
        << "start 1; stopped 1; kill 1";
    QTest::newRow("a restart that fails after its stop is none")
        << Launch{} << restarted + Events{killed(1, SIGTERM), end({1}), cannotStart(1), exits(0, 0)} + theEnd
        << "start 1; stopped 1; release; conclude; stopped 143";
    QTest::newRow("a restart after that counts")
        << Launch{}
        << restarted +
               Events{killed(1, SIGTERM), end({1}), restart({1}), startAgain(1), exits(1, 0), exits(0, 0)} +
               theEnd
        << "start 1; stopped 1; start 1; release; conclude; succeeded 0";
    QTest::newRow("the caller has ended, which is heard again and again")
        << Launch{}
        << bothRun +
               Events{heard::CallerEnded{Sentence(u"caller"_s)}, heard::CallerEnded{Sentence(u"caller"_s)}} +
               theEnd
        << "caller; release; conclude; stopped 143";
}

void RunPolicyTest::nodes_data()
{
    addColumns();
    const auto ends = [](bool isBySignal) {
        return heard::AgentEnds{u"a"_s, isBySignal, Sentence(u"agent"_s)};
    };
    QTest::newRow("an agent is lost")
        << Launch{.restarts = 1}
        << bothRun + Events{lost("b"), killed(0, SIGTERM)} + theEnd + Events{judged(1)}
        << "record node b 1; down: lost; release; conclude; judge; failed 1";
    QTest::newRow("an agent is lost during a stop")
        << Launch{} << bothRun + Events{stop, lost("b")} + theEnd << "stop; release; conclude; stopped 143";
    QTest::newRow("a rank fails because another node was gone")
        << Launch{} << bothRun + Events{exits(0, 3, 5), lost("b", 4)}
        << "down after 0; record 0; record node b 1";
    QTest::newRow("a rank fails before another node is gone")
        << Launch{} << bothRun + Events{exits(0, 3, 5), lost("b", 6)} << "down after 0; record 0";
    QTest::newRow("a rank fails, and its own node is gone")
        << Launch{} << bothRun + Events{exits(1, 3, 5), lost("b", 4)} << "down after 1; record 1";
    QTest::newRow("a rank is killed with its node")
        << Launch{} << bothRun + Events{killed(1, SIGKILL), lost("b")}
        << "down after 1; record 1; record node b 1";
    QTest::newRow("a rank is killed long before its node is gone")
        << Launch{} << bothRun + Events{killed(1, SIGKILL), lost("b", 4)} << "down after 1; record 1";
    QTest::newRow("an agent is asked to end")
        << Launch{} << bothRun + Events{ends(true)} + theEnd << "agent; release; conclude; stopped 143";
    QTest::newRow("an agent ends its processes")
        << Launch{} << bothRun + Events{ends(false)} + theEnd + Events{judged(1)}
        << "record node a 1; down: agent; release; conclude; judge; failed 1";
    QTest::newRow("an agent ends its processes during a stop")
        << Launch{} << bothRun + Events{stop, ends(false), ends(true)} << "stop";
    const heard::LaunchRefused refused{u"b"_s, Sentence(u"no"_s), Sentence(u"none"_s)};
    QTest::newRow("the first refusal of a launch is told")
        << Launch{} << Events{refused, refused} + theEnd + Events{judged(2)}
        << "record node b 2; down: none; release; conclude; judge; failed 2";
    QTest::newRow("a refusal after a stop is not") << Launch{} << Events{stop, refused} << "stop";
}

void RunPolicyTest::schedulers_data()
{
    addColumns();
    const Events workersEnd{start(0), start(1), start(2), exits(0, 0), exits(1, 0)};
    const heard::SchedulerOverdue overdue{Sentence(u"overdue"_s)};
    QTest::newRow("it ends in time") << Launch{.hasScheduler = true}
                                     << workersEnd + Events{exits(2, 0)} + theEnd
                                     << "limit 7 s; release; no limit; conclude; succeeded 0";
    QTest::newRow("it outlives all workers")
        << Launch{.hasScheduler = true} << workersEnd + Events{overdue, killed(2, SIGTERM)} + theEnd
        << "limit 7 s; down: overdue; release; no limit; conclude; succeeded 0";
    QTest::newRow("other nodes have workers too")
        << Launch{.hasScheduler = true, .isPart = true} << workersEnd + Events{exits(2, 0)} + theEnd
        << "note scheduler; release; conclude; succeeded 0";
    QTest::newRow("a worker is started again")
        << Launch{.hasScheduler = true}
        << workersEnd + Events{restart({1}), startAgain(1), exits(1, 0), overdue}
        << "limit 7 s; start 1; no limit; limit 7 s; down: overdue";
    QTest::newRow("it fails") << Launch{.hasScheduler = true} << workersEnd + Events{exits(2, 4)}
                              << "limit 7 s; down after 2; record 2";
}

void RunPolicyTest::commands_data()
{
    addColumns();
    const Launch wrapped{.isWrapped = true};
    QTest::newRow("a found rank is judged by its command")
        << wrapped << bothRun + Events{exits(1, 3), exits(0, 0)} + theEnd << "release; conclude; succeeded 0";
    QTest::newRow("the command fails")
        << wrapped << bothRun + Events{exits(1, 3), exits(0, 1)} << "down after 0; record 0";
    QTest::newRow("a found rank outlives its command, and fails")
        << wrapped << bothRun + Events{exits(0, 0), exits(1, 3)} << "down after 1; record 1";
    const heard::ProcessEnded unseen{{1, 101, {ExitStatus::Kind::Unknown, 0}, {}, second(0)}};
    QTest::newRow("nobody saw how a found rank ended")
        << wrapped << bothRun + Events{exits(0, 0), unseen} + theEnd << "release; conclude; succeeded 0";
    const Launch adopted{.isWrapped = true, .isAdopted = true};
    QTest::newRow("nobody saw how an adopted run ended")
        << adopted << bothRun + Events{exits(1, 3)} + theEnd + Events{judgedWell}
        << "release; conclude; judge; unknown 1";
    QTest::newRow("an adopted run has failed by its logs")
        << adopted << bothRun + theEnd + Events{judged(4)}
        << "release; conclude; judge; record judged; failed 4";
    QTest::newRow("an adopted run ended well")
        << adopted << bothRun + Events{exits(0, 0)} + theEnd + Events{judgedWell}
        << "release; conclude; judge; succeeded 0";
    QTest::newRow("an adopted run is watched no more")
        << adopted << bothRun + Events{stop} + theEnd << "stop; release; conclude; stopped 143";
    QTest::newRow("an adopted run that stands still is watched no more")
        << adopted << bothRun + Events{stop, allEnded, releasedStalled}
        << "stop; release; conclude; stopped 143";
    QTest::newRow("a run that stands still is stopped: why is found")
        << Launch{} << bothRun + Events{stop,     killed(0, SIGTERM), killed(1, SIGTERM),
                                        allEnded, releasedStalled,    judgedWell}
        << "stop; release; conclude; judge; stopped 143";
    QTest::newRow("ranks of an adopted run are only killed")
        << adopted << bothRun + Events{end({1}), end({1}, true)} << "refuse ends; kill 1";
}

void RunPolicyTest::lastLives_data()
{
    addColumns();
    QTest::newRow("a restart that was never answered is a stop")
        << Launch{} << bothRun + Events{restart({1}), ordered(1), killed(1, SIGTERM), exits(0, 0)} + theEnd
        << "start 1; release; conclude; stopped 143";
    QTest::newRow("a rank that was started again while all was torn down")
        << Launch{}
        << bothRun + Events{killed(1, SIGTERM), startAgain(1), killed(1, SIGTERM), killed(0, SIGTERM)} +
               theEnd
        << "down after 1; record 1; release; conclude; judge";
    QTest::newRow("a rank whose end was not seen")
        << Launch{} << bothRun + Events{exits(0, 0)} + theEnd << "release; conclude; unknown 1";
    QTest::newRow("a failure that was taken back, and the rank was ended by a tear-down")
        << Launch{.destroys = false, .hasScheduler = true}
        << Events{start(0),
                  start(1),
                  start(2),
                  exits(0, 0),
                  exits(1, 3),
                  startAgain(1),
                  heard::SchedulerOverdue{Sentence(u"overdue"_s)},
                  killed(1, SIGTERM),
                  exits(2, 0)} +
               theEnd
        << "record 1; limit 7 s; no limit; record none; down: overdue; release; record 1; conclude; judge";
}

void RunPolicyTest::nothingFollowsTheEnd()
{
    PolicyState state = stateOf({.restarts = 1, .isWrapped = true, .isAdopted = true});
    QCOMPARE(follow(state, bothRun + theEnd).last(), u"judge"_s);
    QCOMPARE(follow(state, {stop, killAll, lost("a"), exits(0, 1), restart({1}), end({1}, true), evidence,
                            allEnded, released, heard::CallerEnded{}}),
             QStringList());
    QCOMPARE(follow(state, {judgedWell}), QStringList{u"unknown 1"_s});
}

/// Events of a run with three ranks, as chance wants them.
class Chance
{
public:
    explicit Chance(quint32 seed)
        : m_random(seed)
    {
    }

    PolicyEvent event()
    {
        const int process = below(3);
        switch (below(12)) {
        case 0:
        case 1:
            return note(process, std::nullopt, heard::ProcessStarted{process, false});
        case 2:
            return note(process, std::nullopt, heard::ProcessStarted{process, true});
        case 3:
        case 4:
            return note(process, 0, exits(process, 0));
        case 5:
            return note(process, 3, exits(process, 3, below(9)));
        case 6:
            return below(2) == 0 ? PolicyEvent(restart({process})) : PolicyEvent(end({process}));
        case 7:
            return ordered(process);
        case 8:
            return below(4) > 0 ? PolicyEvent(heard::StartRefused{process})
                                : PolicyEvent(lost("a", below(9)));
        case 9:
            return evidence;
        case 10:
            return below(6) > 0 ? PolicyEvent(evidence) : PolicyEvent(stop);
        default:
            return allEnded;
        }
    }
    int below(int most) { return static_cast<int>(m_random.bounded(most)); }
    bool haveAllSucceeded() const
    {
        return std::ranges::all_of(m_codes, [](const std::optional<int> &code) { return code == 0; });
    }
    void beginAttempt() { m_codes.fill(std::nullopt); }

private:
    PolicyEvent note(int process, std::optional<int> code, PolicyEvent event)
    {
        m_codes[std::size_t(process)] = code;
        return event;
    }

    QRandomGenerator m_random;
    std::array<std::optional<int>, 3> m_codes; ///< Of each rank's last life.
};

void RunPolicyTest::anyOrderOfEventsIsDecided()
{
    const quint32 begin = qEnvironmentVariableIntValue("RANKDECK_SEED");
    std::map<RunPhase, int> phases;
    for (quint32 seed = begin; seed < begin + 5000; ++seed) {
        Chance chance(seed);
        const Launch launch{.ranks = 3,
                            .restarts = chance.below(3),
                            .destroys = chance.below(2) == 0,
                            .takesEvidence = chance.below(2) == 0};
        PolicyState state = stateOf(launch);
        Events events{start(0), start(1), start(2)};
        int attempts = 0;
        int downs = 0;
        std::optional<effect::Finish> finish;
        const auto decide = [&](const PolicyEvent &event) {
            for (const PolicyEffect &effect : runPolicy(state, event)) {
                if (std::holds_alternative<effect::StartAttempt>(effect)) {
                    ++attempts;
                    downs = 0;
                    chance.beginAttempt();
                }
                downs += int(std::holds_alternative<effect::TearDown>(effect) ||
                             std::holds_alternative<effect::TearDownAfter>(effect));
                if (const auto *known = std::get_if<effect::Finish>(&effect)) {
                    QVERIFY2(!finish, qPrintable(u"seed %1: finished twice"_s.arg(seed)));
                    finish = *known;
                }
            }
            QVERIFY2(downs <= 1, qPrintable(u"seed %1: torn down twice"_s.arg(seed)));
        };
        for (int count = chance.below(40); count > 0; --count)
            decide(chance.event());
        // A restart may be due; then the next attempt ends like this one.
        for (int count = 0; count <= launch.restarts && !finish; ++count) {
            decide(allEnded);
            if (attempts > count)
                continue;
            decide(released);
            if (!finish)
                decide(judged(3));
        }
        QVERIFY2(finish, qPrintable(u"seed %1: no end"_s.arg(seed)));
        QVERIFY2(attempts <= launch.restarts, qPrintable(u"seed %1"_s.arg(seed)));
        QVERIFY2(finish->phase != RunPhase::Succeeded || chance.haveAllSucceeded(),
                 qPrintable(u"seed %1: no success"_s.arg(seed)));
        QVERIFY2((finish->exitCode == 0) == (finish->phase == RunPhase::Succeeded),
                 qPrintable(u"seed %1: exit code"_s.arg(seed)));
        ++phases[finish->phase];
    }
    for (const RunPhase phase : {RunPhase::Succeeded, RunPhase::Failed, RunPhase::Stopped, RunPhase::Unknown})
        QVERIFY2(phases[phase] > 20, qPrintable(phaseWord(phase)));
}

} // namespace tst_runpolicy

RANKDECK_TEST(tst_runpolicy, RunPolicyTest)
#include "tst_runpolicy.moc"

#pragma once

#include "run/process/exitstatus.h"
#include "run/record/runphase.h"

#include <QDateTime>

#include <memory>
#include <optional>
#include <variant>
#include <vector>

namespace rankdeck
{

struct LaunchPlan;

/// How a process ended, or that it could not be started.
struct ProcessEnd {
    int process = -1; ///< Index in the plan.
    qint64 pid = 0;
    ExitStatus status;
    Sentence text;  ///< Why it could not be started, or not be ended; else empty.
    QDateTime when; ///< UTC, by the clock of its node.

    bool isNotStarted() const { return status.kind == ExitStatus::Kind::NotStarted; }
    bool operator==(const ProcessEnd &) const = default;
};

/// The events that runPolicy() decides about. Indices of processes that the plan does not have are ignored:
/// clients and attached tools have their own.
namespace heard
{

/// The plan is known, or replaced by one that the nodes have prepared or that has found ranks.
struct Planned {
    std::shared_ptr<const LaunchPlan> plan; ///< Not null.
};
struct ProcessStarted {
    int process = -1;
    bool isAgain = false; ///< After a request to start it again.
};
struct ProcessEnded {
    ProcessEnd end;
};
/// SIGKILL has not ended a process; if it ends after all, ProcessEnded says so.
struct ProcessSurvived {
    QString node;
    ProcessEnd end; ///< `text` says why. No index: it is not in the plan.
};
/// The agent of a process is told to end it, so that its end is no failure.
struct EndOrdered {
    int process = -1;
};
/// A request to start a process again was not carried out.
struct StartRefused {
    int process = -1;
};
/// An agent may have forgotten orders to start processes again: it is done, or its connection was lost.
struct StartsForgotten {
    QString node;
};
/// A client requests that these processes are started again.
struct StartRequested {
    QList<int> processes;
};
/// A client requests the end of these processes; the others go on.
struct EndRequested {
    QList<int> processes;
    bool isKill = false;
};
/// The end of the whole run is requested.
struct StopRequested {
    bool isKill = false;
    Sentence why;
};
/// The command in the foreground that launched the run has ended.
struct CallerEnded {
    Sentence why;
};
/// A hook before the launch failed.
struct HookFailed {
    QString node;
    qint64 pid = 0;
    ExitStatus status;
    Sentence text;
};
/// A node or Slurm refuses the launch.
struct LaunchRefused {
    QString node;
    Sentence reason;
    Sentence why; ///< A sentence for the journal: all is torn down.
};
/// An agent ends its processes unasked.
struct AgentEnds {
    QString node;
    bool isBySignal = false; ///< Somebody asked the agent to end; no failure.
    Sentence reason;
};
/// An agent has ended before it was done.
struct AgentLost {
    QString node;
    Sentence reason;
    Sentence why; ///< A sentence for the journal: all is torn down.
    QDateTime since;
};
/// The scheduler runs for longer than effect::LimitScheduler allowed.
struct SchedulerOverdue {
    Sentence why;
};
/// There is no evidence to take, or none to wait for any more.
struct EvidenceTaken {
};
/// No agent of the attempt is left, nor what it started.
struct AllEnded {
};
/// Slurm has nothing to take back from the run.
struct NodesReleased {
    bool isStalled = false; ///< The run was stopped while it stood still.
};
/// The verdict is there, or will not be.
struct Judged {
    std::optional<int> failureCode; ///< The exit code of the failure that is recorded or was found; or none.
};

} // namespace heard

using PolicyEvent =
    std::variant<heard::Planned, heard::ProcessStarted, heard::ProcessEnded, heard::ProcessSurvived,
                 heard::EndOrdered, heard::StartRefused, heard::StartsForgotten, heard::StartRequested,
                 heard::EndRequested, heard::StopRequested, heard::CallerEnded, heard::HookFailed,
                 heard::LaunchRefused, heard::AgentEnds, heard::AgentLost, heard::SchedulerOverdue,
                 heard::EvidenceTaken, heard::AllEnded, heard::NodesReleased, heard::Judged>;

/// What the supervisor is to do, in this order.
namespace effect
{

/// Take what a signal would destroy and may explain this end; heard::EvidenceTaken is the answer.
struct TakeEvidence {
    ProcessEnd end;
};
/// Wait for evidence no longer; no answer.
struct DropEvidence {
};
/// End all processes, with the grace.
struct TearDown {
    Sentence why;
};
/// End all processes since one has failed; `startsAgain`: for another attempt.
struct TearDownAfter {
    ProcessEnd end;
    bool startsAgain = false;
};
/// End all processes as requested.
struct StopRun {
    bool isKill = false;
    Sentence why;
};
/// Record this failure of a process as the run's; nothing: the run has not failed any more.
struct RecordFailure {
    std::optional<ProcessEnd> end;
};
struct RecordHookFailure {
    heard::HookFailed hook;
};
struct RecordNodeFailure {
    QString node;
    Sentence reason;
    int exitCode = 1;
};
/// Record the failure that the verdict has found.
struct RecordJudgedFailure {
};
/// Send heard::SchedulerOverdue after so many seconds.
struct LimitScheduler {
    int seconds = 0;
};
struct UnlimitScheduler {
};
/// Note that the scheduler goes on for workers of other nodes.
struct NoteScheduler {
};
struct StartProcesses {
    QList<int> processes;
};
struct RefuseStarts {
    enum class Why { RunEnds, IsStopped };

    QList<int> processes;
    Why why = Why::RunEnds;
};
struct EndProcesses {
    QList<int> processes;
    bool isKill = false;
};
/// Note that ranks which Rankdeck did not start are only killed.
struct RefuseEnds {
};
struct StartAttempt {
    int attempt = 0;
    ProcessEnd cause;
};
/// Give back what Slurm has granted. heard::AllEnded comes again then; without such a grant
/// heard::NodesReleased comes.
struct ReleaseNodes {
};
/// Nothing is left to supervise: complete what is known of the run.
struct Conclude {
};
/// Find the verdict; heard::Judged is the answer.
struct Judge {
};
struct Finish {
    RunPhase phase = RunPhase::Succeeded;
    int exitCode = 0;
};

} // namespace effect

using PolicyEffect =
    std::variant<effect::TakeEvidence, effect::DropEvidence, effect::TearDown, effect::TearDownAfter,
                 effect::StopRun, effect::RecordFailure, effect::RecordHookFailure, effect::RecordNodeFailure,
                 effect::RecordJudgedFailure, effect::LimitScheduler, effect::UnlimitScheduler,
                 effect::NoteScheduler, effect::StartProcesses, effect::RefuseStarts, effect::EndProcesses,
                 effect::RefuseEnds, effect::StartAttempt, effect::ReleaseNodes, effect::Conclude,
                 effect::Judge, effect::Finish>;
using PolicyEffects = std::vector<PolicyEffect>;

/// One process of the plan, as far as the supervisor has heard of it.
struct ProcessLife {
    enum class Phase { Waiting, Running, Ended };
    /// What is requested for its next life.
    enum class Next {
        Nothing,
        Start, ///< Its agent starts it again, and has not answered: further requests join this one.
        Stop,  ///< Its end was requested after Start: if its agent starts it nevertheless, it is ended.
        Kill,  ///< The same, without a grace.
    };

    Phase phase = Phase::Waiting;
    bool hasRun = false;         ///< It was started at least once.
    bool isEndRequested = false; ///< For its present or last life: its end is no failure.
    bool hasFailed = false;      ///< Its last life, and while the run was not ending.
    Next next = Next::Nothing;
    std::optional<ProcessEnd> end; ///< Only in Phase::Ended.
};

/// What runPolicy() knows of a run.
struct PolicyState {
    std::shared_ptr<const LaunchPlan> plan; ///< Set by heard::Planned, the first event.
    bool takesEvidence = false;             ///< From the launch's options.
    std::vector<ProcessLife> lives;         ///< Parallel to the plan's processes.
    int attempt = 0;
    std::optional<int> failed; ///< Why the run fails: index in the plan; -1: a hook or a node.
    std::optional<ProcessEnd>
        restartCause; ///< This end causes another attempt once all processes have ended.
    std::optional<effect::TearDownAfter> held;      ///< Comes once the evidence is taken.
    std::optional<heard::ProcessSurvived> survivor; ///< The first process that is still alive after SIGKILL.
    bool isSchedulerLimited = false;
    bool isStopping = false;      ///< All processes were told to end: torn down, or stopped on request.
    bool isTornDown = false;      ///< They were torn down, so that no start of a rank takes a failure back.
    bool isStopRequested = false; ///< Somebody has asked for the end of the whole run.
    int stopCode = 0;             ///< The first request's exit code (128 + signal); 0: there was none.
    bool isConcluded = false;
};

/// Decides what follows from an event, and changes the state accordingly: depends on nothing else, and starts
/// nothing.
PolicyEffects runPolicy(PolicyState &state, const PolicyEvent &event);

} // namespace rankdeck

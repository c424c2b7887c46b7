#pragma once

#include "run/process/exitstatus.h"
#include "run/record/rankprompt.h"
#include "run/record/runphase.h"

#include <QMap>

#include <variant>

namespace rankdeck
{

// What happens in a run: a struct for each kind. A `process` is an index in LaunchPlan::processes, -1: none;
// a tool's index follows those of the plan. A member that a line does not say has its default: an earlier
// version may have left it out.
namespace events
{

/// A sentence for users.
struct Note {
    static constexpr char word[] = "note";
    Sentence text = {};
    int process = -1;                      ///< The sentence is about it.
    qint64 pid = 0;                        ///< The hook that it is about, if any.
    std::optional<ExitStatus> status = {}; ///< How that hook has ended.
};
/// run.json has the plan as its nodes have prepared it, in place of an assumed one.
struct Planned {
    static constexpr char word[] = "planned";
};
struct Allocation {
    static constexpr char word[] = "allocation";
    qint64 pid = 0;   ///< salloc's.
    QString job = {}; ///< Slurm's number of the job; empty: not known yet.
};
struct AgentStarted {
    static constexpr char word[] = "agent-started";
    qint64 pid = 0;        ///< The agent's; of another node's, that of what carries its stream here.
    QString program = {};  ///< What runs on another node as the agent …
    QString rejoinId = {}; ///< … and by what a new stream leads to it. Empty: none does.
};
/// The stream to the agent of the node has broken, as `text` says, and is retried.
struct LinkLost {
    static constexpr char word[] = "link-lost";
    Sentence text = {};
};
struct LinkBack {
    static constexpr char word[] = "link-back";
    Sentence text = {};
};
/// The agent ended before its processes did.
struct AgentLost {
    static constexpr char word[] = "agent-lost";
    Sentence text = {}; ///< How.
};
/// The agent ends its processes unasked.
struct AgentEnds {
    static constexpr char word[] = "agent-ends";
    std::optional<ExitStatus> status = {}; ///< The signal that it got; nothing: `text` says why.
    Sentence text = {};
};
struct ProcessStarted {
    static constexpr char word[] = "process-started";
    int process = -1;
    qint64 pid = 0;
    /// The bytes of earlier lives in its log, and in the file of its standard error; empty: this is its
    /// first.
    QList<qint64> logged = {};
};
struct ProcessNotStarted {
    static constexpr char word[] = "process-not-started";
    int process = -1;
    std::optional<ExitStatus> status = {}; ///< The errno.
    Sentence text = {};                    ///< Why.
};
struct ProcessExited {
    static constexpr char word[] = "process-exited";
    int process = -1;
    qint64 pid = 0;
    std::optional<ExitStatus> status = {};
};
/// A user requested the end of the run, or its supervisor got a signal.
struct StopRequested {
    static constexpr char word[] = "stop-requested";
    Sentence text = {}; ///< Who requested it, and how ("stop" or "kill").
};
/// The end of one process was requested; the others go on.
struct ProcessStopRequested {
    static constexpr char word[] = "process-stop-requested";
    int process = -1;
};
/// A tool is attached to a rank.
struct ProcessAdded {
    static constexpr char word[] = "process-added";
    int process = -1;
    QString plan = {}; ///< See processText().
};
/// A rank was found below a wrapped command: an agent asks for its index, see orders::NameRank.
struct RankFound {
    static constexpr char word[] = "rank-found";
    qint64 pid = 0;
    QString plan = {}; ///< See processText().
};
/// A signal was sent to a process on request, or `text` says why not.
struct SignalSent {
    static constexpr char word[] = "signal-sent";
    int process = -1;
    qint64 pid = 0;
    std::optional<ExitStatus> status = {}; ///< The signal.
    Sentence text = {};
};
/// A process is not started again, as was requested.
struct StartRefused {
    static constexpr char word[] = "start-refused";
    int process = -1;
    Sentence text = {}; ///< Why.
};
struct ProcessHeld {
    static constexpr char word[] = "process-held";
    int process = -1;
    qint64 pid = 0;
    Hold hold = Hold::Suspended; ///< Also for a word of another version, such as "suspended".
};
/// The process continues after ProcessHeld.
struct ProcessReleased {
    static constexpr char word[] = "process-released";
    int process = -1;
    qint64 pid = 0;
};
/// All processes are being ended.
struct TearDown {
    static constexpr char word[] = "tear-down";
    Sentence text = {}; ///< Why.
};
/// A process that a rank had left over was ended.
struct Swept {
    static constexpr char word[] = "swept";
    qint64 pid = 0;
    Sentence text = {};
};
/// SIGKILL has not ended a process: it is left alone.
struct Survived {
    static constexpr char word[] = "survived";
    int process = -1; ///< -1: not a process of the plan, but one that such a process or a hook has started.
    qint64 pid = 0;
    Sentence text = {}; ///< Why, and which devices it keeps.
};
struct HookStarted {
    static constexpr char word[] = "hook-started";
    qint64 pid = 0;
    Sentence text = {}; ///< The command, when it runs, and where its output is.
};
struct HookExited {
    static constexpr char word[] = "hook-exited";
    qint64 pid = 0;
    std::optional<ExitStatus> status = {};
    QString command = {};
};
/// A hook before the launch failed: no process will be started.
struct BeforeFailed {
    static constexpr char word[] = "before-failed";
    qint64 pid = 0;
    std::optional<ExitStatus> status = {};
    Sentence text = {};
};
/// No process of the run is alive on the node.
struct NodeDone {
    static constexpr char word[] = "node-done";
};
/// run.json now says which process failed first; or that none has any more, since it was started again.
struct FailureRecorded {
    static constexpr char word[] = "failure-recorded";
};
/// Another attempt begins: all processes wait to be started.
struct Restart {
    static constexpr char word[] = "restart";
    int attempt = 0;    ///< 1 .. LaunchPlan::maxRestarts.
    Sentence text = {}; ///< Why.
};
/// Ranks are silent, or more or fewer than before.
struct Stalled {
    static constexpr char word[] = "stalled";
    Sentence text = {};
    /// Since when each process is silent, by its index; ms since 1970, UTC, in whole seconds.
    QMap<int, qint64> silences = {};
    QString named = {}; ///< Ranges of the processes that stand out, by index: "3"; empty: none does.
};
/// No rank is stalled any more.
struct StallEnded {
    static constexpr char word[] = "stall-ended";
    Sentence text = {};
};
/// The stacks of a process, or `text` says why there are none.
struct StacksDumped {
    static constexpr char word[] = "stacks-dumped";
    int process = -1;
    qint64 pid = 0;
    Sentence text = {};
    QString stacks = {}; ///< Only from an agent to its supervisor.
    QString file = {};   ///< The file that has them, below the run directory; only in the journal.
};
/// The flight recorders on the node have been asked for dumps.
struct RecordersDumped {
    static constexpr char word[] = "recorders-dumped";
    Sentence text = {}; ///< How many wrote one; empty: none listens there.
};
/// Dumps of flight recorders were read in a stall.
struct CollectivesRead {
    static constexpr char word[] = "collectives-read";
    Sentence text = {}; ///< The findings, sentences.
};
/// An NPU of the node is unhealthy.
struct DeviceAlarm {
    static constexpr char word[] = "device-alarm";
    int process = -1; ///< It runs on the NPU.
    Sentence text = {};
};
/// An NPU is healthy again.
struct DeviceWell {
    static constexpr char word[] = "device-well";
    int process = -1; ///< It runs on the NPU.
    Sentence text = {};
};
/// A process waits for input, since the time of the event.
struct AtPrompt {
    static constexpr char word[] = "at-prompt";
    int process = -1;
    std::optional<RankPrompt> prompt = {};
};
struct PromptLeft {
    static constexpr char word[] = "prompt-left";
    int process = -1;
};
/// The run has ended: the last event.
struct Finished {
    static constexpr char word[] = "finished";
    RunPhase phase = RunPhase::Failed;
    int exitCode = 0;
};

} // namespace events

using AnyEvent = std::variant<
    events::Note, events::Planned, events::Allocation, events::AgentStarted, events::LinkLost,
    events::LinkBack, events::AgentLost, events::AgentEnds, events::ProcessStarted, events::ProcessNotStarted,
    events::ProcessExited, events::StopRequested, events::ProcessStopRequested, events::ProcessAdded,
    events::RankFound, events::SignalSent, events::StartRefused, events::ProcessHeld, events::ProcessReleased,
    events::TearDown, events::Swept, events::Survived, events::HookStarted, events::HookExited,
    events::BeforeFailed, events::NodeDone, events::FailureRecorded, events::Restart, events::Stalled,
    events::StallEnded, events::StacksDumped, events::RecordersDumped, events::CollectivesRead,
    events::DeviceAlarm, events::DeviceWell, events::AtPrompt, events::PromptLeft, events::Finished>;

/// One line of the journal, and one message from an agent: what happened, when, and where.
struct RunEvent {
    AnyEvent what;
    QString node;           ///< Empty: no single node, or none is told.
    qint64 monotonicNs = 0; ///< CLOCK_MONOTONIC of the node where it happened.
    QDateTime wall;         ///< UTC, the same node.

    /// Returns an event with the present time.
    static RunEvent now(AnyEvent what, const QString &node = {});

    /// Returns the event if it is of this kind, else null.
    template <typename Kind>
    const Kind *as() const
    {
        return std::get_if<Kind>(&what);
    }
    template <typename... Kinds>
    bool is() const
    {
        return (... || std::holds_alternative<Kinds>(what));
    }
    /// Returns the process that it is about; -1: none.
    int process() const;
    /// Adds `by` to the index of that process.
    void moveProcess(int by);
    /// Returns its sentence; empty if its kind has none.
    Sentence text() const;
    /// Returns nothing if its kind has no status.
    std::optional<ExitStatus> status() const;

    /// One JSON line without the newline.
    QByteArray toLine() const;
    /// Returns nothing for a line that is torn or not an event.
    static std::optional<RunEvent> fromLine(const QByteArray &line);
};

} // namespace rankdeck

#pragma once

#include "run/record/failure.h"
#include "run/record/rankprompt.h"
#include "run/record/runevent.h"
#include "run/record/runphase.h"

#include <algorithm>
#include <memory>

namespace rankdeck
{

struct LaunchPlan;
struct LaunchSpec;

/// Results of the requests of one kind for a process.
struct RequestAnswers {
    int count = 0;   ///< Number of answers, refusals included.
    QString problem; ///< Why the last request was not carried out; empty: it was.
};

/// Bytes written to a process's logs so far.
struct LogLengths {
    qint64 log = 0;
    qint64 error = 0; ///< Bytes of its standard error, if that has a file of its own.

    bool operator==(const LogLengths &) const = default;
};

/// State of one process of the run.
struct RankState {
    RankPhase phase = RankPhase::Waiting;
    qint64 pid = 0;
    QDateTime started; ///< UTC.
    QDateTime ended;   ///< UTC.
    std::optional<ExitStatus> status;
    std::optional<RankPrompt> prompt; ///< The prompt at which it waits for input; only while it runs.
    bool stopRequested = false;       ///< The end of this process alone was requested.
    QDateTime holdSince;              ///< When `hold` began, UTC.
    Hold hold = Hold::None;           ///< Only while it runs.
    bool wasPaused = false;           ///< By SIGSTOP, when the run began to be ended.
    RequestAnswers signalAnswers;
    RequestAnswers startAnswers; ///< To requests to start it again.
    /// Where the present process begins in its log and its standard error: before it are the lines of earlier
    /// ones that were stopped or failed.
    LogLengths begin;

    /// Returns true if it does not go on until a user acts.
    bool isHeld() const { return hold != Hold::None || prompt; }
    /// Returns true if it ended badly, and not by a signal that asks a process to end or in answer to one: it
    /// chose its exit code, or crashed.
    bool endedBadlyByItself() const;
};

/// A program that is attached to a running rank. It is not part of the launch: it is not counted, its end is
/// not a failure, and it ends with its rank.
struct AttachedTool {
    ProcessPlan plan; ///< Its role is Role::Tool.
    int process = -1; ///< Plan index of the process it is attached to; -1 if unknown.
    RankState state;
    QString problem; ///< Why it could not be started.
};

/// A stall: ranks of a live run have been silent for much longer than usual for them.
struct RunStall {
    Sentence sentence;             ///< The ranks, since when, and the state of the others.
    QMap<int, qint64> silentSince; ///< By process index: ms since 1970, UTC.
    Sentence collectives = {};     ///< Findings from dumps of flight recorders, sentences; may be empty.
    QString named = {};            ///< Ranges of the processes that stand out, by index; may be empty.

    bool operator==(const RunStall &) const = default;
};

/// The stacks of one process, made on request.
struct StackDump {
    int process = -1;
    QDateTime time;  ///< UTC.
    QString file;    ///< Below the run directory; empty if there are none.
    QString problem; ///< Why there are none.

    bool operator==(const StackDump &) const = default;
};

/// A whole run as a value, rebuilt from its directory alone. Cheap to copy: spec and plan are shared.
struct RunState {
    QString name;
    QString directory; ///< Absolute.
    std::shared_ptr<const LaunchSpec> spec;
    std::shared_ptr<const LaunchPlan> plan;         ///< Never null. With restarts: the plan of `attempt`.
    std::shared_ptr<const LaunchPlan> recordedPlan; ///< As in run.json, for all attempts.
    int attempt = 0;                                ///< Number of restarts of all processes.
    /// What the run was when each attempt before had ended, oldest first; at most mostEarlier.
    std::vector<std::shared_ptr<const RunState>> earlier;
    RunPhase phase = RunPhase::Starting;
    QDateTime created;            ///< UTC.
    QDateTime ended;              ///< UTC; invalid while live.
    QDateTime seenAt;             ///< UTC: it was like this then, in a replay; invalid: it is like this now.
    std::vector<RankState> ranks; ///< Parallel to plan->processes.
    /// Tools of this attempt. Their process indexes follow those of the plan: ranks.size() + position here.
    std::vector<AttachedTool> tools;
    std::optional<Failure> failure;   ///< Set by RunReader from run.json, not by apply().
    QMap<QString, QString> unreached; ///< Nodes whose connection is lost and retried, with a sentence on it.
    std::optional<RunStall> stall;    ///< Only while the run is live.
    std::optional<RunStall> endStall; ///< In which its ranks were when it was stopped or ended.
    int prompts = 0;                  ///< How often ranks of this attempt came to a prompt.
    QList<StackDump> dumps;           ///< Oldest first.
    int recorderDumps = 0;            ///< How often flight recorders of this attempt have written dumps.
    /// The last sentence on each unhealthy NPU, by the process that runs on it.
    QMap<int, QString> deviceAlarms;
    QStringList notes; ///< Sentences for the reader from the journal, oldest first.
    /// Exit code of the run: 0, or the first failed rank's shell code; valid once it has finished.
    int exitCode = 0;

    static constexpr std::size_t mostTools = 100; ///< In one attempt.
    static constexpr std::size_t mostEarlier = 10;

    /// Returns true if its processes may be alive and Rankdeck can stop them: its phase is live, and now.
    bool isLiveNow() const { return !seenAt.isValid() && isLive(phase); }
    /// Whether there is a failure to tell, or a stall that was not over when the run ended or was stopped.
    bool hasTrouble() const { return failure || (endStall && phase != RunPhase::Succeeded); }
    void forgetTrouble() { failure.reset(), endStall.reset(); }
    /// Returns `now`, or the time of a replay.
    QDateTime timeSeen(const QDateTime &now = QDateTime::currentDateTimeUtc()) const
    {
        return seenAt.isValid() ? seenAt : now;
    }
    /// Returns the plan of a process or a tool by its index; null if there is none.
    const ProcessPlan *planOf(int index) const;
    /// Returns the state of a process or a tool by its index; null if there is none.
    const RankState *stateOf(int index) const;
    /// Begins a run of `recorded`: attempt 0, all processes wait.
    void setPlan(const LaunchPlan &recorded);
    /// Replaces the plan after the nodes have resolved it, when nothing has started yet; or by one that goes
    /// on with ranks that were found, which wait. See ProcessPlan::isFound.
    void replacePlan(const LaunchPlan &recorded);
    /// Applies one event of the journal. Unknown events change nothing.
    void apply(const RunEvent &event);
    /// Ends the run. The last processes of a lost run end without a status.
    void conclude(RunPhase how, const QDateTime &when, int code);
    /// Returns the event that the process with this pid on this machine ended now; nothing if no process that
    /// has not ended has this pid.
    std::optional<RunEvent> endOf(qint64 pid, const ExitStatus &status) const;
    /// Returns sentences on what keeps the run from going on: which ranks wait in the debugger or are held
    /// and which wait for them, or that ranks are stalled; empty: nothing is known. See standstill.cpp.
    Sentence standstill() const;
    /// While some ranks are held and others are not: returns when the others reach the timeouts of the
    /// launch; empty if there is no such timeout.
    QString timeoutWarning() const;
    /// Returns this process's position (1 = first) among the processes waiting at a prompt; 0: it is not.
    int promptOrder(int process) const;
    bool isAnyHeld() const { return std::ranges::any_of(ranks, &RankState::isHeld); }
    /// Returns a sentence on the fault of a process's NPU; empty: none known.
    QString deviceAlarm(int process) const { return deviceAlarms.value(process); }
    /// Returns since when a running rank is stalled, UTC; invalid if it is not stalled, or is held.
    QDateTime silentSince(int process) const;
    /// Returns the phase that a user sees. A rank that exited while the run was torn down has failed if it
    /// did so by itself after another one had failed, else it was stopped. Ended means: its exit was not
    /// seen.
    RankPhase shownPhase(const RankState &rank) const;
    /// Returns the number of processes in this phase.
    int count(RankPhase rankPhase) const;

private:
    struct ToolChange;
    struct RankChange;
    struct RunChange;

    void addTool(const events::ProcessAdded &added);
    void restart(int newAttempt);
    void loseNode(const QString &node);
    void keepStall(int process);
    void forgetSilence(int process);
    void leaveStall();
};

} // namespace rankdeck

#pragma once

#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "run/exitstatus.h"
#include "run/runevent.h"

#include <QDateTime>
#include <QMap>
#include <QMetaType>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

enum class RunPhase {
    Starting, ///< The run directory is there, no process yet.
    Running,
    Stopping, ///< Being torn down: after a failure, or because somebody asked.
    Succeeded,
    Failed,
    Stopped,  ///< Ended because somebody asked, or somebody asked for the end of some of its processes.
    Lost,     ///< Its supervisor is gone without having said how the run ended.
    Recorded, ///< Nothing but logs is known: a log directory that was opened. See LogDirectory.
    Writing,  ///< The same, and a log was written a moment ago.
};

/// One word, lower case, English: for files, the command line and --json ("running").
QString phaseWord(RunPhase phase);
std::optional<RunPhase> phaseFromWord(const QString &word);
/// Whether processes of the run may be alive, and are ours to stop.
bool isLive(RunPhase phase);
/// Whether its logs may grow.
bool mayGrow(RunPhase phase);
/// Whether it is no run of ours but a directory of logs.
bool hasLogsAlone(RunPhase phase);

enum class RankPhase {
    Waiting, ///< Not started yet.
    Running,
    Exited,  ///< Ended with exit code 0.
    Failed,  ///< Ended otherwise before the run was being torn down, or never started.
    Ended,   ///< Ended otherwise while the run was being torn down.
    Stopped, ///< Ended, however, after somebody had asked for the end of this rank.
    Unknown, ///< Its node was lost, or nothing but its log is known, which shows no error.
    Writing, ///< The same, and the log was written a moment ago.
};

QString phaseWord(RankPhase phase);

/// What makes a process that runs stand still, whatever it does itself. Its children may go on.
enum class Hold {
    None,
    Suspended, ///< By SIGSTOP or by Ctrl-Z in its terminal: state T of proc(5).
    Traced,    ///< By a debugger, such as gdb while it waits for a command: state t.
};

/// "suspended" and "traced", English, for files and the command line; empty for none. Not "stopped", which is
/// a rank that somebody asked to end.
QString holdWord(Hold hold);

/// What became of the signals that somebody wanted to send to a process.
struct SignalAnswers {
    int count = 0;   ///< Of answers, refusals too.
    QString problem; ///< Why the last was not sent; empty: it was.
};

/// What is known of one process of the run.
struct RankState {
    RankPhase phase = RankPhase::Waiting;
    qint64 pid = 0;
    QDateTime started; ///< UTC.
    QDateTime ended;   ///< UTC.
    std::optional<ExitStatus> status;
    std::optional<RankPrompt> prompt; ///< Where it waits to be typed to; only while it runs.
    bool stopRequested = false;       ///< Somebody asked for its end while the others go on.
    QDateTime holdSince;              ///< UTC; of `hold`.
    Hold hold = Hold::None;           ///< Only while it runs.
    SignalAnswers signalAnswers;

    /// It does not go on until somebody lets it.
    bool isHeld() const { return hold != Hold::None || prompt; }
};

/// A program that somebody has attached to a rank that runs. It is none of the launch's: it counts nowhere,
/// its end is no failure, and it goes with its rank.
struct AttachedTool {
    ProcessPlan plan; ///< Of Role::Tool.
    int process = -1; ///< Whom it looks at, by index in the plan; -1: nobody that is known.
    RankState state;
    QString problem; ///< Why it could not be started.
};

/// A process that failed, with what is needed to understand it. A run can also fail without one, when its
/// agent is lost: `rank` is then noRank and `reason` says what happened. `logTail` is at most 40 lines and 16
/// KiB of text, control characters and invalid bytes replaced, oldest line first.
struct Failure {
    static constexpr Rank noRank{-1};
    /// Exit code of a launch that a node refused; of no rank.
    static constexpr int refused = 2;

    Role role = Role::Worker;
    Rank rank = noRank; ///< Of a scheduler 0, which is also that of a worker.
    DeviceId device;
    QString node;
    qint64 pid = 0;
    ExitStatus status;
    /// Why the process could not be started, what it wrote of its failure itself, or what happened when no
    /// process failed by itself.
    QString reason;
    QStringList logTail;
    QString logFile;       ///< What logTail is of: the process's standard error where that is apart.
    QStringList traceback; ///< As the process wrote it itself; bounded plain text, oldest line first.

    bool operator==(const Failure &) const = default;
};

/// Ranks of a live run are silent for much longer than is usual for them.
struct RunStall {
    QString sentence;              ///< Which, since when, and what the others do.
    QMap<int, qint64> silentSince; ///< By index of process: ms since 1970, UTC.

    bool operator==(const RunStall &) const = default;
};

/// The stacks of one process, which somebody has asked for.
struct StackDump {
    int process = -1;
    QDateTime time;  ///< UTC.
    QString file;    ///< Below the run directory; empty: there are none …
    QString problem; ///< … and why.

    bool operator==(const StackDump &) const = default;
};

/// A whole run as a value, rebuilt from its directory alone. Cheap to copy: spec and plan are shared.
struct RunState {
    QString name;
    QString directory; ///< Absolute.
    std::shared_ptr<const LaunchSpec> spec;
    std::shared_ptr<const LaunchPlan> plan;         ///< Never null. With restarts: as for `attempt`.
    std::shared_ptr<const LaunchPlan> recordedPlan; ///< As in run.json, for all attempts.
    int attempt = 0;                                ///< How often all processes have been started anew.
    RunPhase phase = RunPhase::Starting;
    QDateTime created;            ///< UTC.
    QDateTime ended;              ///< UTC; invalid while live.
    std::vector<RankState> ranks; ///< Parallel to plan->processes.
    /// Of this attempt; each has an index too, behind those of the plan: ranks.size() + its place here.
    std::vector<AttachedTool> tools;
    std::optional<Failure> failure; ///< Set by RunReader from run.json, not by apply().
    QMap<QString, QString>
        unreached;                 ///< By node, whose connection is lost and tried again: a sentence on it.
    std::optional<RunStall> stall; ///< While it is live.
    int prompts = 0;               ///< How often ranks of this attempt have come to one.
    QList<StackDump> dumps;        ///< In the order in which they were made.
    /// What was said last of NPUs that are not well, by the process that runs on each; sentences.
    QMap<int, QString> deviceAlarms;
    QStringList notes; ///< From the journal: what a reader should know, in order.
    int exitCode = 0;  ///< Of the run: 0, or the first failed rank's shell code; meaningful once ended.

    static constexpr std::size_t mostTools = 100; ///< In an attempt.

    /// The plan of a process or a tool by its index; null for none.
    const ProcessPlan *planOf(int index) const;
    /// What is known of it; null for none.
    const RankState *stateOf(int index) const;
    /// Begin a run of `recorded`: attempt 0, all processes wait.
    void setPlan(const LaunchPlan &recorded);
    /// The plan has been made anew before anything was started.
    void replacePlan(const LaunchPlan &recorded);
    /// Work one event of the journal into the state. Unknown events change nothing.
    void apply(const RunEvent &event);
    /// The run has ended. Of a lost one nobody saw the last processes end: they have, without a status.
    void conclude(RunPhase how, const QDateTime &when, int code);
    /// The end, now, of the process that has this pid on this machine; nothing when none that has not ended
    /// has it.
    std::optional<RunEvent> endOf(qint64 pid, const ExitStatus &status) const;
    /// What keeps the run from going on, in sentences: who waits in the debugger or is held and who waits for
    /// these, or that ranks are stalled; empty: nothing that is known. See standstill.cpp.
    QString standstill() const;
    /// While some are held and others are not: when these give up by the timeouts of the launch, in a
    /// sentence; empty: by none.
    QString timeoutWarning() const;
    /// How many of those that are at a prompt came there up to this process, itself included; 0: it is at
    /// none.
    int promptOrder(int process) const;
    bool isAnyHeld() const;
    /// What is wrong with the NPU of a process, in a sentence; empty: nothing that is known.
    QString deviceAlarm(int process) const { return deviceAlarms.value(process); }
    /// Since when a rank that runs is stalled; invalid: it is not, or is held. UTC.
    QDateTime silentSince(int process) const;
    /// Processes in this phase.
    int count(RankPhase rankPhase) const;

private:
    void addTool(const RunEvent &event);
    void applyToTool(AttachedTool &tool, const RunEvent &event);
    void forgetSilence(int process);
};

/// A line of the run list.
struct RunSummary {
    QString name;
    QString title; ///< The plan's short name.
    QString launcher;
    QString directory;
    RunPhase phase = RunPhase::Starting;
    QDateTime created;
    QDateTime ended;
    int exitCode = 0;
    int worldSize = 0;
    QString remark; ///< When a lost run lost its supervisor, or which ranks are stalled; empty for others.

    /// Seconds from its start to its end, or to `now` while it is live.
    qint64 duration(const QDateTime &now) const;
    bool operator==(const RunSummary &) const = default;
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::RunState)
Q_DECLARE_METATYPE(rankdeck::RunSummary)

#pragma once

#include "run/exitstatus.h"
#include "run/rankprompt.h"

#include <QByteArray>
#include <QDateTime>
#include <QMap>
#include <QMetaType>
#include <QString>

#include <optional>

namespace rankdeck
{

/// One line of the journal, and one message from an agent: what happened, when, to which process.
struct RunEvent {
    enum class Kind {
        Note,           ///< `text`.
        Planned,        ///< run.json has the plan as its nodes have prepared it, in place of an assumed one.
        Allocation,     ///< `pid` is that of salloc; `text` is Slurm's number of the job, once it is known.
        AgentStarted,   ///< `pid`, on `node`.
        LinkLost,       ///< The stream to the agent of `node` has broken and is tried again; `text` says how.
        LinkBack,       ///< The agent of `node` is there again; `text` says so.
        AgentLost,      ///< The agent ended before its processes did; `text` says how.
        ProcessStarted, ///< `process`, `pid`.
        ProcessNotStarted,    ///< `process`, `status` (errno), `text`.
        ProcessExited,        ///< `process`, `pid`, `status`.
        StopRequested,        ///< Somebody asked; `text` says who and how ("stop" or "kill").
        ProcessStopRequested, ///< Somebody asked for the end of `process` alone; the others go on.
        ProcessAdded, ///< `process`, behind those of the plan: a tool; `text` is its plan. See toolText().
        SignalSent,  ///< To `process` on request: `status` is the signal; or it was not, and `text` says why.
        ProcessHeld, ///< `process` stands still from outside; `text` is a word of holdWord().
        ProcessReleased, ///< … and no more.
        TearDown,        ///< Processes are being told to end; `text` says why.
        Swept,           ///< `pid`: a process left over by a rank was ended; `text` is its name.
        HookStarted,     ///< `pid`; `text` says what runs, when, and where its output is.
        HookExited,      ///< `pid`, `status`; `text` is the command.
        BeforeFailed,    ///< A hook before the launch failed with `status`: no process will be started.
        NodeDone,        ///< Nothing of the run is alive on the node.
        FailureRecorded, ///< run.json now says which process failed first, with the tail of its log.
        Restart,         ///< Attempt `attempt` begins, all processes wait to be started; `text` says why.
        Stalled,         ///< Ranks are silent, or more or fewer than before: `silences`; `text` says which.
        StallEnded,      ///< None is any more; `text` says so.
        StacksDumped,    ///< Of `process`, whose pid is `pid`: `file` has its stacks, or `text` says why not.
        DeviceAlarm,     ///< An NPU of `node` is not well; `text` says so; `process` runs on it, or -1.
        DeviceWell,      ///< … and is again.
        AtPrompt,        ///< `process` waits to be typed to, at `prompt`, since `wall`.
        PromptLeft,      ///< `process` does so no more.
        Finished,        ///< `text` is the run's phase word, `status.number` its exit code.
    };

    Kind kind = Kind::Note;
    int process = -1; ///< Index in LaunchPlan::processes, -1 where none is meant.
    int attempt = 0;  ///< Of Restart: 1 .. LaunchPlan::maxRestarts.
    qint64 pid = 0;
    std::optional<ExitStatus> status;
    QString node;
    QString text;
    /// Of Stalled: since when each process is silent, by its index; ms since 1970, UTC, in whole seconds.
    QMap<int, qint64> silences;
    /// Of StacksDumped: the stacks themselves, from an agent to its supervisor alone …
    QString stacks;
    /// … and the file below the run directory that has them, in the journal.
    QString file;
    /// Of AtPrompt; its time is that of the event.
    std::optional<RankPrompt> prompt;
    qint64 monotonicNs = 0; ///< CLOCK_MONOTONIC of the node where it happened.
    QDateTime wall;         ///< UTC, the same node.

    /// An event of this kind, now.
    static RunEvent now(Kind kind, const QString &text = {});

    /// One JSON line without the newline.
    QByteArray toLine() const;
    /// Nothing for a line that is torn or not an event.
    static std::optional<RunEvent> fromLine(const QByteArray &line);
};

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::RunEvent)

#pragma once

#include "run/process/exitstatus.h"
#include "run/record/rankprompt.h"

#include <QMap>

namespace rankdeck
{

/// One line of the journal, and one message from an agent: what happened, when, to which process.
struct RunEvent {
    enum class Kind {
        Note,         ///< `text`.
        Planned,      ///< run.json has the plan as its nodes have prepared it, in place of an assumed one.
        Allocation,   ///< `pid` is that of salloc; `text` is Slurm's number of the job, once it is known.
        AgentStarted, ///< `pid`, on `node`.
        LinkLost,     ///< The stream to the agent of `node` has broken and is retried; `text` says how.
        LinkBack,     ///< The agent of `node` is connected again; `text` says so.
        AgentLost,    ///< The agent ended before its processes did; `text` says how.
        AgentEnds,    ///< The agent ends its processes unasked: it got the signal in `status`, or `text` says
                      ///< why.
        ProcessStarted,       ///< `process`, `pid`; of a rank that is started again, also `logged`.
        ProcessNotStarted,    ///< `process`, `status` (errno), `text`.
        ProcessExited,        ///< `process`, `pid`, `status`.
        StopRequested,        ///< On request; `text` says who and how ("stop" or "kill").
        ProcessStopRequested, ///< The end of `process` alone was requested; the others go on.
        ProcessAdded, ///< A tool, `process`, after those of the plan; `text` is its plan. See toolText().
        RankFound,    ///< Below a wrapped command: `pid`; `text` is its plan, see foundText(). Only from an
                      ///< agent to its supervisor, which names its index by orders::NameRank.
        SignalSent,   ///< To `process` on request: `status` is the signal; or `text` says why not.
        StartRefused, ///< `process` is not started again, as was requested; `text` says why not.
        ProcessHeld,  ///< `process` is stopped or traced; `text` is a word of holdWord().
        ProcessReleased, ///< `process` continues after ProcessHeld.
        TearDown,        ///< All processes are being ended; `text` says why.
        Swept,           ///< `pid`: a process left over by a rank was ended; `text` is its name.
        HookStarted,     ///< `pid`; `text` says what runs, when, and where its output is.
        HookExited,      ///< `pid`, `status`; `text` is the command.
        BeforeFailed,    ///< A hook before the launch failed with `status`: no process will be started.
        NodeDone,        ///< No process of the run is alive on the node.
        FailureRecorded, ///< run.json now says which process failed first, with the tail of its log; or that
                         ///< none has any more, since it was started again.
        Restart,         ///< Attempt `attempt` begins, all processes wait to be started; `text` says why.
        Stalled,         ///< Ranks are silent, or more or fewer than before: `silences`; `text` says which.
        StallEnded,      ///< No rank is stalled any more; `text` says so.
        StacksDumped,    ///< `process` with `pid`: `file` has its stacks, or `text` says why not.
        RecordersDumped, ///< The flight recorders on `node` have been asked for dumps; `text` says how many
                         ///< wrote one, and is empty where none listens.
        CollectivesRead, ///< What these dumps say of a stall: `text`, sentences.
        DeviceAlarm,     ///< An NPU of `node` is unhealthy; `text` says so; `process` runs on it, or -1.
        DeviceWell,      ///< An NPU is healthy again.
        AtPrompt,        ///< `process` waits for input at `prompt` since `wall`.
        PromptLeft,      ///< `process` has left its prompt.
        Finished,        ///< `text` is the run's phase word, `status.number` its exit code.
    };

    Kind kind = Kind::Note;
    int process = -1; ///< Index in LaunchPlan::processes, -1: none.
    int attempt = 0;  ///< Restart: 1 .. LaunchPlan::maxRestarts.
    qint64 pid = 0;
    std::optional<ExitStatus> status;
    QString node;
    Sentence text;
    /// Stalled: since when each process is silent, by its index; ms since 1970, UTC, in whole seconds.
    QMap<int, qint64> silences;
    /// StacksDumped: the stacks themselves, only from an agent to its supervisor.
    QString stacks;
    /// StacksDumped: the file with the stacks, below the run directory; only in the journal.
    QString file;
    /// ProcessStarted: the bytes that earlier lives of the process have left in its log, and in its standard
    /// error if that has a file of its own; empty: this is its first.
    QList<qint64> logged;
    /// AtPrompt; its time is that of the event.
    std::optional<RankPrompt> prompt;
    qint64 monotonicNs = 0; ///< CLOCK_MONOTONIC of the node where it happened.
    QDateTime wall;         ///< UTC, the same node.

    /// Returns an event of this kind with the present time.
    static RunEvent now(Kind kind, const Sentence &text = {});
    /// The same for a process.
    static RunEvent ofProcess(Kind kind, int process, qint64 pid,
                              const std::optional<ExitStatus> &status = {});

    /// One JSON line without the newline.
    QByteArray toLine() const;
    /// Returns nothing for a line that is torn or not an event.
    static std::optional<RunEvent> fromLine(const QByteArray &line);
};

} // namespace rankdeck

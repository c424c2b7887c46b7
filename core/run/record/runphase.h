#pragma once

#include "base/tr.h"

#include <optional>

namespace rankdeck
{

enum class RunPhase {
    Starting, ///< The run directory exists, no process yet.
    Running,
    Stopping, ///< Being torn down: after a failure, or on request.
    Succeeded,
    Failed,
    Stopped,  ///< Ended on request, or after the end of some of its processes was requested.
    Lost,     ///< Its supervisor is gone and has not recorded how the run ended.
    Recorded, ///< Only logs are known: a log directory that was opened. See LogDirectory.
    Writing,  ///< Like Recorded, and a log was written a moment ago.
    Unknown,  ///< The run has finished, and its exit was not seen: it was adopted, see LaunchPlan::adopted.
};

/// Lower-case English word for files, the command line and --json ("running").
QString phaseWord(RunPhase phase);
/// Returns the word in the user's language: "running".
QString shownWord(RunPhase phase);
std::optional<RunPhase> phaseFromWord(const QString &word);
/// Returns true if processes of the run may be alive, and Rankdeck can stop them.
bool isLive(RunPhase phase);
/// Returns true if the logs may grow.
bool mayGrow(RunPhase phase);
/// Returns true for a log directory that Rankdeck did not launch.
bool hasLogsAlone(RunPhase phase);

enum class RankPhase {
    Waiting, ///< Not started yet.
    Running,
    Exited,  ///< Ended with exit code 0.
    Failed,  ///< Ended with another status before the run was torn down, or never started.
    Ended,   ///< Ended with another status while the run was torn down. See RunState::shownPhase().
    Stopped, ///< Ended, with any status, after the end of this rank was requested.
    Unknown, ///< Its node was lost, its exit was not seen, or only its log is known, which shows no error.
    Writing, ///< Like Unknown, and the log was written a moment ago.
};

/// Lower-case English word for files and --json ("exited").
QString phaseWord(RankPhase phase);
std::optional<RankPhase> rankPhaseFromWord(const QString &word);
/// Returns the word that a user sees for what RunState::shownPhase() returns: "succeeded", "stopped".
QString shownWord(RankPhase phase);

/// Why a running process makes no progress although it is not blocked itself. Its children may go on.
enum class Hold {
    None,
    Suspended, ///< By SIGSTOP or by Ctrl-Z in its terminal: state T of proc(5).
    Traced,    ///< By a debugger, such as gdb while it waits for a command: state t.
};

/// Returns "paused" or "traced", for the journal; empty for none. The word is not "stopped": that is a
/// rank whose end was requested. The user sees both as "paused".
QString holdWord(Hold hold);

} // namespace rankdeck

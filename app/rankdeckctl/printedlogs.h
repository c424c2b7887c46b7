#pragma once

#include "log/logtypes.h"
#include "run/growthmarks.h"
#include "run/runstate.h"

#include <QByteArray>

#include <optional>
#include <vector>

namespace rankdeck
{

enum class LogPrefix { None, Label };

/// Which logs of a run are printed.
struct LogChoice {
    std::vector<int> processes; ///< Indexes in the plan.
    LogPrefix prefix = LogPrefix::Label;
    int tail = -1; ///< How many of the lines that are there already are printed, of each log; -1 for all.
    /// What of them, where standard error has a file of its own; nothing: what the plan means for the
    /// console.
    std::optional<Streams> streams = {};
    int attempt = 0; ///< Whose logs, 0 .. state.attempt.
};

/// A log that is printed.
struct PrintedLog {
    int process;
    bool isError;
    QString path;
    QByteArray prefix; ///< Of the plan; empty: label and pid.
    QByteArray label;
    ByteOffset start;
    std::vector<LogGap> gaps = {}; ///< Those that are still to come.
    std::size_t knownGaps = 0;

    /// What stands before each of its lines.
    QByteArray linePrefix(const RunState &state, LogPrefix kind) const;
    /// Say on standard error that lines may be missing here, and forget the gap.
    void sayFirstGap();
};

/// @param state of a run that was read from its directory.
std::vector<PrintedLog> logsToPrint(const RunState &state, const LogChoice &choice);
/// Gaps that were marked since the last look.
void lookForGaps(std::vector<PrintedLog> &logs, const RunState &state, int attempt);

} // namespace rankdeck

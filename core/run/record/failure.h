#pragma once

#include "launch/plan/processplan.h"
#include "run/process/exitstatus.h"

namespace rankdeck
{

class Fields;

/// A failed process, with the facts to understand the failure. If a run fails without a failed process,
/// because its agent was lost, `rank` is noRank and `reason` explains it. `logTail` is at most 40 lines and
/// 16 KiB of text, control characters and invalid bytes replaced, oldest line first.
struct Failure {
    static constexpr Rank noRank{-1};
    /// Exit code of a launch that a node refused; it belongs to no rank.
    static constexpr int refused = 2;

    Role role = Role::Worker;
    Rank rank = noRank; ///< A scheduler has 0, as one of the workers has.
    DeviceId device;
    QString node;
    qint64 pid = 0;
    ExitStatus status;
    /// Why the process could not be started, its own message about its failure, or the event that failed a
    /// run without a failed process.
    Sentence reason;
    QStringList logTail;
    QString logFile;       ///< The file of logTail: standard error, if that has a file of its own.
    QStringList traceback; ///< As the process wrote it; bounded plain text, oldest line first.

    bool operator==(const Failure &) const = default;
};

void visitFields(Fields &fields, Failure &failure);

} // namespace rankdeck

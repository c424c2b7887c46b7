#pragma once

#include "run/process/processtree.h"

namespace rankdeck
{

/// Who has decided whether a run that was written down begins: a file of the run directory, which only one
/// can make.
struct RunClaim {
    /// It brings the run up; absent: the run was given up, because no supervisor came.
    std::optional<SupervisorId> supervisor;
};

void visitFields(Fields &fields, RunClaim &claim);

/// Decides it. Returns false, and changes nothing, if somebody has, or if the file cannot be made.
bool claimRun(const QString &directory, const RunClaim &claim);

/// Returns nothing if nobody has decided.
std::optional<RunClaim> claimOf(const QString &directory);

} // namespace rankdeck

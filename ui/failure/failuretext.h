#pragma once

#include "diagnosis/verdict/verdict.h"
#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// "Rank 3 failed first", "Rank 3 could not be started", "Which rank failed first is undecided": the dialog's
/// headline.
QString failureHeadline(const Verdict &verdict, const Failure &failure);
/// What happened, in words: what the rank says itself, else how it ended and what usually ends one so.
QString failureCause(const Verdict &verdict);
/// When a run that no rank is to blame for was over, and what has become of its processes: "Over since
/// 2024-01-01 12:00:00. Its processes: 6 ended, 1 exited, 1 still running." A sentence more where nobody saw
/// some of them end.
QString runEnding(const RunState &state);

/// Index of the process that was seen to fail in LaunchPlan::processes; -1 when the failure names none.
int failedProcess(const RunState &state);

} // namespace rankdeck

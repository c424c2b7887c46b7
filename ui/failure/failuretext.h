#pragma once

#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// "Rank 3 failed first": the dialog's headline.
QString failureHeadline(const Failure &failure);
/// "device 3 on 10.0.0.1, pid 4711"; when no rank is to blame the node alone.
QString failurePlace(const Failure &failure);
/// How it ended, in words: exit code, signal and what usually sends it, or why it could not be started.
QString failureCause(const Failure &failure);

/// When a run that no rank is to blame for was over, and what has become of its processes: "Over since
/// 2024-01-01 12:00:00. Its processes: 6 ended, 1 exited, 1 still running." A sentence more where nobody saw
/// some of them end.
QString runEnding(const RunState &state);

/// Index of the failed process in LaunchPlan::processes; -1 when the failure names none of them.
int failedProcess(const RunState &state);

} // namespace rankdeck

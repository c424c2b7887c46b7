#pragma once

#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// "Rank 3 failed first": the dialog's headline.
QString failureHeadline(const Failure &failure);
/// "device 3 on 10.0.0.1, pid 4711"; empty when no rank is to blame.
QString failurePlace(const Failure &failure);
/// How it ended, in words: exit code, signal and what usually sends it, or why it could not be started.
QString failureCause(const Failure &failure);

/// Index of the failed process in LaunchPlan::processes; -1 when the failure names none of them.
int failedProcess(const RunState &state);

} // namespace rankdeck

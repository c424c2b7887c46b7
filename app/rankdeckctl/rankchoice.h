#pragma once

#include "launch/launchplan.h"
#include "result.h"
#include "run/runstate.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// The workers of these ranks, "3" or "0,4-7", by index in the plan, ascending.
/// Error: no ranks, or one that this plan does not start.
Result<QList<int>> workersOf(const LaunchPlan &plan, const QString &ranks);

/// The processes that run, by index in the plan.
QList<int> runningProcesses(const RunState &state);

} // namespace rankdeck

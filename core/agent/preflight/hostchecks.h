#pragma once

#include "agent/preflight/preflightcheck.h"
#include "launch/launchplan.h"

#include <QProcessEnvironment>

#include <vector>

namespace rankdeck
{

/// What a node can say at once of its share of a launch: programs and scripts, room for the logs, shared
/// memory, limits, NPUs and who holds them, ports, network cards. Takes milliseconds, where there is npu-smi
/// up to three seconds. Nothing is written.
/// @param share as shareOf() gives it, or the plan of a launch for one node; paths may be below
/// runDirectoryPlaceholder.
/// @param environment what the processes' own variables change.
std::vector<PreflightCheck> hostChecks(const LaunchPlan &share, const QProcessEnvironment &environment);

/// Null: the share has none.
const ProcessPlan *firstWorker(const LaunchPlan &share);

} // namespace rankdeck

#pragma once

#include "agent/preflight/preflightcheck.h"
#include "device/sampling/devicesource.h"

#include <QProcessEnvironment>

#include <vector>

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

/// Returns the checks of a node's NPUs before a launch: their health, and their free memory.
/// @param devices that the launch is going to use, by logical id; others are ignored. If a source has no
/// logical ids, the order of the chips replaces them.
/// @param neededMb memory that must be free on each; 0: not given.
std::vector<PreflightCheck> npuSampleChecks(const Result<DeviceReading> &reading, const QList<int> &devices,
                                            int neededMb = 0);

/// Returns a node's checks of its share of a launch: programs and scripts, room for logs, shared memory,
/// limits, NPUs and their holders, ports, network cards. Takes ms, with npu-smi up to 3 s. Writes nothing.
/// @param share of shareOf(), or a plan for one node; paths may be below runDirectoryPlaceholder.
/// @param environment to which the processes add their own variables.
std::vector<PreflightCheck> hostChecks(const LaunchPlan &share, const QProcessEnvironment &environment);

/// Null: the share has none.
const ProcessPlan *firstWorker(const LaunchPlan &share);

} // namespace rankdeck

#pragma once

#include "agent/preflight/preflightcheck.h"
#include "device/devicesource.h"
#include "result.h"

#include <QList>

#include <vector>

namespace rankdeck
{

/// What the NPUs of a node say of themselves before a launch: their health, and the memory that is free.
/// @param devices that the launch is going to use, by logical id; others are passed over. Where a source
/// tells no logical ids, the order of the chips stands for them.
/// @param neededMb memory that must be free on each; 0: not said.
std::vector<PreflightCheck> npuSampleChecks(const Result<DeviceReading> &reading, const QList<int> &devices,
                                            int neededMb = 0);

} // namespace rankdeck

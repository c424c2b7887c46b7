#pragma once

#include "agent/preflight/preflightcheck.h"
#include "device/sampling/devicesource.h"

#include <QFileInfo>
#include <QProcessEnvironment>

#include <vector>

namespace rankdeck
{

struct LaunchPlan;
struct ProcessPlan;

/// What the NPUs of a node say of themselves before a launch: their health, and the memory that is free.
/// @param devices that the launch is going to use, by logical id; others are passed over. Where a source
/// tells no logical ids, the order of the chips stands for them.
/// @param neededMb memory that must be free on each; 0: not said.
std::vector<PreflightCheck> npuSampleChecks(const Result<DeviceReading> &reading, const QList<int> &devices,
                                            int neededMb = 0);

/// What a node can say at once of its share of a launch: programs and scripts, room for the logs, shared
/// memory, limits, NPUs and who holds them, ports, network cards. Takes milliseconds, where there is npu-smi
/// up to three seconds. Nothing is written.
/// @param share as shareOf() gives it, or the plan of a launch for one node; paths may be below
/// runDirectoryPlaceholder.
/// @param environment what the processes' own variables change.
std::vector<PreflightCheck> hostChecks(const LaunchPlan &share, const QProcessEnvironment &environment);

/// Returns the folder of `path` that exists, however far up.
inline QString existingFolder(const QString &path)
{
    QFileInfo folder(path);
    while (!folder.exists() && !folder.isRoot())
        folder.setFile(folder.absolutePath());
    return folder.absoluteFilePath();
}

/// Null: the share has none.
const ProcessPlan *firstWorker(const LaunchPlan &share);

} // namespace rankdeck

#pragma once

#include "device/sampling/devicesource.h"

namespace rankdeck
{

struct LaunchPlan;

/// Writes the stand-in for npu-smi of a demo's run, LaunchPlan::inventedNpuSmi, into the run directory: a
/// script that runs resources/demo/npu_smi.py for the ranks of `node`. Returns it as a source; none for any
/// other launch, and where it cannot be written or there is no Python.
/// @param share with the paths of this node.
DeviceSource writeInventedNpuSmi(const LaunchPlan &share, const QString &node);

} // namespace rankdeck

#pragma once

#include "device/devicesource.h"
#include "result.h"

#include <QString>

#include <chrono>

namespace rankdeck
{

/// npu-smi in PATH or where the driver's package installs it; empty: there is none.
QString npuSmiPath();

/// Run `npu-smi info` once, which takes a second or more, and read what it prints. Blocks; see DeviceSampler
/// for what does not. Error: it failed, or did not answer in time; then it is killed with its children, and
/// left alone where even that does not end it.
Result<DeviceReading> askNpuSmi(const QString &npuSmi, std::chrono::milliseconds limit);

} // namespace rankdeck

#pragma once

#include "device/sampling/devicesource.h"

namespace rankdeck
{

/// Reads all chips from libdcmi.so. Blocks, for ever if the driver hangs: only for a program that does
/// nothing else and may be killed (`rankdeckctl devices --source dcmi`, which DeviceSampler starts), never
/// for one with a window. Reads a 950 through dcmiv2_*, if the library has that. Fails if the library cannot
/// be loaded, or returns an error; see explainDcmi().
Result<DeviceReading> readDcmi(const QString &library);

} // namespace rankdeck

#pragma once

#include "device/devicesource.h"
#include "result.h"

#include <QString>

namespace rankdeck
{

/// Asks libdcmi.so for all chips. Blocks, and where the driver hangs for ever: for a program that does
/// nothing else and may be killed (`rankdeckctl devices --source dcmi`, which DeviceSampler starts), never
/// for one with a window. A 950 is asked through dcmiv2_*, where the library has that. Error: the library
/// cannot be loaded, or what its return code means here; see explainDcmi().
Result<DeviceReading> readDcmi(const QString &library);

} // namespace rankdeck

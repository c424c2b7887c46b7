#pragma once

#include "device/devicesample.h"

#include <QByteArray>

namespace rankdeck::npusmi
{

/// Sets what a line of -t usages, common, memory, temp, power, health, ecc or current-fault-event measures;
/// other lines set nothing.
/// @param label as labelOf() makes it.
void setReading(DeviceSample &sample, const QByteArray &label, const QByteArray &value);

} // namespace rankdeck::npusmi

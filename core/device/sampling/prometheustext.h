#pragma once

#include "device/sampling/devicesource.h"

namespace rankdeck
{

/// A reading in Prometheus' text format, version 0.0.4: a family of gauges "rankdeck_npu_…" for each number
/// that a chip has, in base units (ratios of 1, bytes, degrees Celsius, watts, hertz), with HELP and TYPE.
/// Labels are "device" (the logical id), "physical_id", "card", "chip", "bus" and "name"; what is not known
/// has no label, and what a chip does not give no line.
QByteArray prometheusText(const DeviceReading &reading);

/// Returns the text with backslash, quote and line feed escaped.
QByteArray labelValue(const QString &text);

} // namespace rankdeck

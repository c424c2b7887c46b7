#pragma once

#include "device/sampling/devicesource.h"

namespace rankdeck
{

/// Returns a reading in Prometheus' text format, version 0.0.4: a family of gauges "rankdeck_npu_…" for each
/// number of a chip, in base units (ratios of 1, bytes, degrees Celsius, watts, hertz), with HELP and TYPE.
/// Labels are "device" (the logical id), "physical_id", "card", "chip", "bus" and "name"; unknown ids have no
/// label, and values that a chip does not report have no line.
QByteArray prometheusText(const DeviceReading &reading);

/// Returns the text with backslash, quote and line feed escaped.
QByteArray labelValue(const QString &text);

} // namespace rankdeck

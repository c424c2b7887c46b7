#pragma once

#include "device/devicehistory.h"

#include <QByteArray>

#include <optional>

namespace rankdeck
{

// The file of a DeviceHistory: "# rankdeck devices 1 EVERY", then lines "C " with the chips as a JSON array,
// and lines "S MS" with a point for each chip of the last "C", or "=" for that of the moment before.

inline constexpr char deviceHistoryHeading[] = "# rankdeck devices 1 ";

/// The values of a point with the names that CSV has for them, in the file's order: new ones come last.
template <typename Point, typename Visitor>
void forEachValue(Point &point, const Visitor &visit)
{
    visit("ai_core_percent", point.aiCorePercent);
    visit("npu_percent", point.npuPercent);
    visit("hbm_used_mb", point.hbmUsedMb);
    visit("ddr_used_mb", point.ddrUsedMb);
    visit("temperature_c", point.temperatureC);
    visit("power_w", point.powerW);
    visit("clock_mhz", point.clockMhz);
    visit("health", point.health);
    visit("errors", point.errors);
}

QByteArray valueText(const std::optional<int> &value);
QByteArray valueText(const std::optional<qint64> &value);
QByteArray valueText(const std::optional<double> &value);
QByteArray valueText(const std::optional<DeviceHealth> &value);

/// The values with commas between them, none at the end; of a point without any ",".
QByteArray pointText(const DevicePoint &point);
/// Nothing for other text.
std::optional<DevicePoint> pointFrom(const QByteArray &text);

} // namespace rankdeck

#pragma once

#include "device/devicehistory.h"
#include "device/historypoint.h"

#include <QByteArray>

#include <concepts>
#include <optional>
#include <type_traits>

namespace rankdeck
{

// The file of a DeviceHistory is a HistoryFile: it is about chips, a JSON array, and has a point of each.

inline constexpr char deviceHistoryHeading[] = "# rankdeck devices 1 ";
/// Of a chip, beside what toJson(DeviceSample) writes: the run's processes that work with it.
inline constexpr char chipUsersKey[] = "used_by";

/// The values of a point with the names that CSV has for them.
template <typename Point, typename Visitor>
requires std::same_as<std::remove_const_t<Point>, DevicePoint>
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

/// Its number in DeviceHealth.
QByteArray valueText(const std::optional<DeviceHealth> &value);
/// False for what is none.
bool readValue(const QByteArray &text, std::optional<DeviceHealth> &value);

} // namespace rankdeck

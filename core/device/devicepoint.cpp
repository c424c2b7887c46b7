#include "device/devicepoint.h"

#include <cmath>

namespace rankdeck
{

DevicePoint DevicePoint::of(const DeviceSample &sample)
{
    DevicePoint point;
    point.aiCorePercent = sample.rates.aiCore;
    point.npuPercent = sample.rates.npu;
    point.hbmUsedMb = sample.hbm.used;
    point.ddrUsedMb = sample.ddr.used;
    point.temperatureC = sample.temperatureC;
    if (sample.powerW)
        point.powerW = std::round(*sample.powerW * 10) / 10;
    point.clockMhz = sample.clockMhz;
    point.health = sample.health;
    if (sample.errorCodes)
        point.errors = static_cast<int>(sample.errorCodes->size());
    return point;
}

QByteArray valueText(const std::optional<DeviceHealth> &value)
{
    return value ? QByteArray::number(static_cast<int>(*value)) : QByteArray();
}

bool readValue(const QByteArray &text, std::optional<DeviceHealth> &value)
{
    std::optional<int> number;
    if (!readValue(text, number) || *number < 0 || *number > static_cast<int>(DeviceHealth::Unknown))
        return false;
    value = static_cast<DeviceHealth>(*number);
    return true;
}

} // namespace rankdeck

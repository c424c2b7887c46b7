#include "device/devicepoint.h"

#include <cmath>

namespace rankdeck
{

namespace
{

/// False for what is no such value.
bool readValue(const QByteArray &text, std::optional<int> &value)
{
    bool isNumber = false;
    value = text.toInt(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<qint64> &value)
{
    bool isNumber = false;
    value = text.toLongLong(&isNumber);
    return isNumber;
}

bool readValue(const QByteArray &text, std::optional<double> &value)
{
    bool isNumber = false;
    value = text.toDouble(&isNumber);
    return isNumber && std::isfinite(*value);
}

bool readValue(const QByteArray &text, std::optional<DeviceHealth> &value)
{
    std::optional<int> number;
    if (!readValue(text, number) || *number < 0 || *number > static_cast<int>(DeviceHealth::Unknown))
        return false;
    value = static_cast<DeviceHealth>(*number);
    return true;
}

} // namespace

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

QByteArray valueText(const std::optional<int> &value)
{
    return value ? QByteArray::number(*value) : QByteArray();
}

QByteArray valueText(const std::optional<qint64> &value)
{
    return value ? QByteArray::number(*value) : QByteArray();
}

QByteArray valueText(const std::optional<double> &value)
{
    return value ? QByteArray::number(*value, 'f', 1) : QByteArray();
}

QByteArray valueText(const std::optional<DeviceHealth> &value)
{
    return value ? QByteArray::number(static_cast<int>(*value)) : QByteArray();
}

QByteArray pointText(const DevicePoint &point)
{
    QByteArrayList values;
    forEachValue(point, [&](const char *, const auto &value) { values << valueText(value); });
    while (!values.isEmpty() && values.last().isEmpty())
        values.removeLast();
    return values.isEmpty() ? "," : values.join(',');
}

std::optional<DevicePoint> pointFrom(const QByteArray &text)
{
    const QList<QByteArray> values = text.split(',');
    DevicePoint point;
    qsizetype at = 0;
    bool isSound = true;
    forEachValue(point, [&](const char *, auto &value) {
        const QByteArray word = values.value(at++);
        isSound = isSound && (word.isEmpty() || readValue(word, value));
    });
    return isSound ? std::optional(point) : std::nullopt;
}

} // namespace rankdeck

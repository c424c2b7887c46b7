#include "run/samples/ranklook.h"

#include <algorithm>
#include <numeric>

namespace rankdeck
{

namespace
{

template <typename Number>
std::optional<double> number(const std::optional<Number> &value)
{
    return value ? std::optional<double>(double(*value)) : std::nullopt;
}

std::optional<double> deviceNumber(RankValue value, const RunSamples::Sample &sample)
{
    if (!sample.device)
        return std::nullopt;
    switch (value) {
    case RankValue::AiCore:
        return number(sample.busyPercent());
    case RankValue::Hbm: {
        const auto percent = sample.memory().percent();
        return percent ? percent : number(sample.device->rates.hbm);
    }
    case RankValue::Temperature:
        return number(sample.device->temperatureC);
    case RankValue::Power:
        return sample.device->powerW;
    case RankValue::Health:
        return sample.device->health ? std::optional<double>(double(*sample.device->health)) : std::nullopt;
    case RankValue::Clock:
        return number(sample.device->clockMhz);
    case RankValue::Foreign:
        return number(sample.foreignCount());
    default:
        return std::nullopt;
    }
}

} // namespace

std::optional<double> numberOf(RankValue value, const RankLook &look)
{
    const std::optional<TreeLoad> &load = look.sample.load;
    switch (value) {
    case RankValue::Place:
        return double(look.place);
    case RankValue::State:
        return number(look.severity);
    case RankValue::Cpu:
        return load ? load->cpuPercent : std::nullopt;
    case RankValue::Memory:
        return load ? std::optional<double>(double(load->residentBytes)) : std::nullopt;
    case RankValue::Read:
        return load ? load->readBytesPerSecond : std::nullopt;
    case RankValue::Written:
        return load ? load->writtenBytesPerSecond : std::nullopt;
    default:
        return deviceNumber(value, look.sample);
    }
}

bool comesBefore(const std::optional<double> &one, const std::optional<double> &other, bool isDescending)
{
    if (!one || !other)
        return one.has_value() && !other.has_value();
    return isDescending ? *one > *other : *one < *other;
}

QList<int> inOrder(const QList<RankLook> &looks, const RankOrder &order)
{
    QList<std::optional<double>> numbers;
    for (const RankLook &look : looks)
        numbers << numberOf(order.by, look);
    QList<int> indexes(looks.size());
    std::iota(indexes.begin(), indexes.end(), 0);
    std::stable_sort(indexes.begin(), indexes.end(), [&](int one, int other) {
        return comesBefore(numbers.at(one), numbers.at(other), order.isDescending);
    });
    return indexes;
}

} // namespace rankdeck

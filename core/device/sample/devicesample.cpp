#include "device/sample/devicesample.h"

#include <array>
#include <type_traits>

namespace rankdeck
{

constexpr std::array healthWords{"OK", "Warning", "Alarm", "Critical", "UNKNOWN"};

/// Copies the numbers of `other` for which `isWanted(whether sample has that number)` is true.
template <typename Wanted>
static void takeNumbers(DeviceSample &sample, const DeviceSample &other, const Wanted &isWanted)
{
    QList<std::optional<double>> numbers; // Exact: none is near 2^53.
    forEachNumber(other, [&](const char *, const auto &number) {
        numbers << (number ? std::optional(static_cast<double>(*number)) : std::nullopt);
    });
    qsizetype at = 0;
    forEachNumber(sample, [&](const char *, auto &number) {
        using Number = typename std::remove_reference_t<decltype(number)>::value_type;
        if (const auto &given = numbers[at++]; given && isWanted(number.has_value()))
            number = static_cast<Number>(*given);
    });
}

bool DeviceIds::isSameChip(const DeviceIds &other) const
{
    return card && card == other.card && chip.value_or(ChipId(0)) == other.chip.value_or(ChipId(0));
}

QString healthWord(DeviceHealth health)
{
    return QLatin1String(healthWords.at(static_cast<std::size_t>(health)));
}

DeviceHealth healthFromWord(const QString &word)
{
    for (std::size_t index = 0; index < healthWords.size(); ++index) {
        if (word.compare(QLatin1String(healthWords.at(index)), Qt::CaseInsensitive) == 0)
            return static_cast<DeviceHealth>(index);
    }
    return DeviceHealth::Unknown;
}

void DeviceSample::setHealth(const QString &word)
{
    if (word.isEmpty())
        return;
    healthWord = word;
    health = healthFromWord(word);
}

std::optional<double> Amount::percent() const
{
    if (!used || !total || *total <= 0)
        return std::nullopt;
    return 100.0 * static_cast<double>(*used) / static_cast<double>(*total);
}

bool hasReadings(const DeviceSample &sample)
{
    DeviceSample ids;
    ids.ids = sample.ids;
    return sample != ids;
}

void complete(DeviceSample &sample, const DeviceSample &other)
{
    takeNumbers(sample, other, [](bool isKnown) { return !isKnown; });
    fillIn(sample.errorCodes, other.errorCodes);
}

void renew(DeviceSample &sample, const DeviceSample &newer)
{
    takeNumbers(sample, newer, [](bool isKnown) { return isKnown; });
}

Sentence shownName(const QString &name)
{
    const auto invented = " (invented)"_L1;
    return name.endsWith(invented) ? Sentence::tr("%1 (invented)").arg(name.chopped(invented.size()))
                                   : Sentence(name);
}

void dropAbsentMemory(DeviceSample &sample)
{
    const auto dropIfNone = [](Amount &amount, auto &...rates) {
        if (!amount.total || *amount.total > 0)
            return;
        amount = {};
        (rates.reset(), ...);
    };
    DeviceRates &rates = sample.rates;
    dropIfNone(sample.ddr, rates.ddr, rates.ddrHugepages, rates.ddrBandwidth);
    dropIfNone(sample.hbm, rates.hbm, rates.hbmBandwidth);
    dropIfNone(sample.hugepages, rates.ddrHugepages);
}

} // namespace rankdeck

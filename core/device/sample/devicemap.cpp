#include "device/sample/devicemap.h"

#include <algorithm>

namespace rankdeck
{

template <typename Predicate>
static std::optional<DeviceIds> onlyOne(const QList<DeviceIds> &chips, const Predicate &isIt)
{
    const auto found = std::ranges::find_if(chips, isIt);
    if (found == chips.end() || std::find_if(found + 1, chips.end(), isIt) != chips.end())
        return std::nullopt;
    return *found;
}

static void completeFrom(DeviceIds &ids, const DeviceIds &known)
{
    fillIn(ids.logical, known.logical);
    fillIn(ids.physical, known.physical);
    fillIn(ids.card, known.card);
    fillIn(ids.chip, known.chip);
    fillIn(ids.slot, known.slot);
    fillIn(ids.bus, known.bus);
}

void DeviceMap::add(const DeviceIds &ids)
{
    const auto known =
        std::ranges::find_if(m_chips, [&](const DeviceIds &chip) { return chip.isSameChip(ids); });
    if (known != m_chips.end())
        completeFrom(*known, ids);
    else if (m_chips.size() < mostChips)
        m_chips << ids;
}

void DeviceMap::complete(DeviceIds &ids) const
{
    auto known = onlyOne(m_chips, [&](const DeviceIds &chip) { return chip.isSameChip(ids); });
    if (!known && ids.physical)
        known = onlyOne(m_chips, [&](const DeviceIds &chip) { return chip.physical == ids.physical; });
    if (known)
        completeFrom(ids, *known);
}

void countLogicalIds(QList<DeviceSample> &samples)
{
    const bool isKnown = std::ranges::any_of(
        samples, [](const DeviceSample &sample) { return sample.ids.logical.has_value(); });
    if (isKnown)
        return;
    int next = 0;
    for (DeviceSample &sample : samples)
        sample.ids.logical = LogicalDeviceId(next++);
}

int programNumber(const QList<DeviceSample> &samples, qsizetype index)
{
    const DeviceSample &sample = samples.at(index);
    if (sample.ids.logical)
        return sample.ids.logical->value;
    return sample.health || !sample.ids.card ? static_cast<int>(index) : sample.ids.card->value;
}

} // namespace rankdeck

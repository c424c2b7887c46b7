#pragma once

#include "device/devicesample.h"

#include <QList>

#include <optional>

namespace rankdeck
{

/// More chips than any machine has. What claims to have more is cut there.
inline constexpr qsizetype mostChips = 1024;

/// Which numbers belong to the same chip, as `npu-smi info -m` or DCMI says it. Chips that are no NPU (the
/// card's own controller, "Mcu") are not in it.
class DeviceMap
{
public:
    /// What is said of a chip that is known already completes what was.
    void add(const DeviceIds &ids);

    bool isEmpty() const { return m_chips.isEmpty(); }
    const QList<DeviceIds> &chips() const { return m_chips; }

    /// Nothing when no chip, or more than one, has the number.
    std::optional<DeviceIds> find(LogicalDeviceId id) const;
    std::optional<DeviceIds> find(PhysicalDeviceId id) const;
    std::optional<DeviceIds> find(const BusId &bus) const;
    /// A chip that is not given is chip 0.
    std::optional<DeviceIds> find(CardId card, std::optional<ChipId> chip) const;

    /// Adds to `ids` what it lacks and the map knows of the same chip: by card and chip, else by its physical
    /// id. What it has stays.
    void complete(DeviceIds &ids) const;

    bool operator==(const DeviceMap &) const = default;

private:
    QList<DeviceIds> m_chips;
};

/// Where none of them has a logical id, they get 0, 1, 2 …: DCMI counts the chips in the order in which
/// npu-smi lists them. With a map that has logical ids this is not needed.
void countLogicalIds(QList<DeviceSample> &samples);

/// What programs count the chip by that is at `index`: its logical id, or, where the source tells none, its
/// place among the chips. Of a table of processes alone only the card is known, which then stands for it.
int programNumber(const QList<DeviceSample> &samples, qsizetype index);

} // namespace rankdeck

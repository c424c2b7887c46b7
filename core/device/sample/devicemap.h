#pragma once

#include "device/sample/devicesample.h"

namespace rankdeck
{

inline constexpr qsizetype mostChips = 1024; ///< More chips than any machine has; longer lists are cut here.

/// The ids of each chip, by `npu-smi info -m`. Without chips that are not NPUs (a card's controller, "Mcu").
class DeviceMap
{
public:
    /// Adds a chip; ids of a chip that is known already are completed.
    void add(const DeviceIds &ids);

    const QList<DeviceIds> &chips() const { return m_chips; }

    /// Adds to `ids` the map's other ids of the same chip, found by card and chip, else by its physical id
    /// where only one chip has that. Keeps ids that are set already.
    void complete(DeviceIds &ids) const;

private:
    QList<DeviceIds> m_chips;
};

/// If no sample has a logical id, sets 0, 1, 2 …: DCMI counts the chips in the order of npu-smi's list.
void countLogicalIds(QList<DeviceSample> &samples);

/// Returns the number by which programs know the chip at `index`: its logical id, or if there is none its
/// place among the chips. With a table of processes alone, only the card id is known and is returned.
int programNumber(const QList<DeviceSample> &samples, qsizetype index);

} // namespace rankdeck

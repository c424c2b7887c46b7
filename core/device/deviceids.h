#pragma once

#include "strongnumber.h"

#include <QString>

#include <optional>

namespace rankdeck
{

// An NPU has many numbers, and none may stand for another: a container that was given one card sees it as
// logical id 0, whatever its card and its physical ids are.

/// What programs count their devices by (ASCEND_RT_VISIBLE_DEVICES of a host): 0, 1, 2 … of those that are
/// seen from here. "Chip Logic ID" of npu-smi, "Device" of a 310.
using LogicalDeviceId = StrongNumber<struct LogicalDeviceIdTag>;
/// The chip's number on the host, in containers too: /dev/davinciN. "Phy-ID" of npu-smi.
using PhysicalDeviceId = StrongNumber<struct PhysicalDeviceIdTag>;
/// "NPU ID" of npu-smi, what its -i takes. Need not begin with 0 nor be small: 32768 has been seen.
using CardId = StrongNumber<struct CardIdTag>;
/// "Chip ID" of npu-smi, what its -c takes: counts the chips of a card.
using ChipId = StrongNumber<struct ChipIdTag>;
/// "Slot ID" of a 950.
using SlotId = StrongNumber<struct SlotIdTag>;

/// A chip's place on the PCIe bus, as printed: "0000:C1:00.0". The two chips of a 310P Duo share one.
struct BusId {
    QString text;
    bool operator==(const BusId &) const = default;
};

/// All that a source says of which chip it speaks of.
struct DeviceIds {
    std::optional<LogicalDeviceId> logical;
    std::optional<PhysicalDeviceId> physical;
    std::optional<CardId> card;
    std::optional<ChipId> chip; ///< A 950 has cards of one chip, and no number for it in most of its outputs.
    std::optional<SlotId> slot;
    std::optional<BusId> bus;

    bool operator==(const DeviceIds &) const = default;

    /// Whether both are on the same card and chip; a chip that is not said is chip 0, a card that is not said
    /// is none.
    bool isSameChip(const DeviceIds &other) const;
};

} // namespace rankdeck

#pragma once

#include "ranktable/findingplaces.h"

#include <memory>

namespace rankdeck
{

/// A report with its findings by place: what the views of a rank table page show.
struct CheckedTable {
    std::shared_ptr<const CheckReport> report;
    FindingPlaces places;

    const RankTable &table() const { return report->table; }
    const Server &server(DevicePlace place) const { return table().servers[size_t(place.server)]; }
    const Device &device(DevicePlace place) const { return server(place).devices[size_t(place.device)]; }
    const Finding &finding(int index) const { return report->findings[size_t(index)]; }
    /// 1-based; 0 where it is not known.
    int lineOf(DevicePlace place) const;
};

using SharedTable = std::shared_ptr<const CheckedTable>;

} // namespace rankdeck

#pragma once

#include "ranktable/deviceplace.h"
#include "ranktable/ranktablecheck.h"

#include <QHash>
#include <QPair>

namespace rankdeck
{

/// Which findings of a report speak of which server or device.
class FindingPlaces
{
public:
    FindingPlaces() = default;
    explicit FindingPlaces(const CheckReport &report);

    /// Of the finding at this index; not valid where it speaks of neither.
    DevicePlace placeOf(int finding) const;
    /// Indices of the findings that speak of just this place.
    QList<int> findingsAt(DevicePlace place) const;
    /// The worst that is said of a server and all its devices.
    std::optional<Severity> worstWithin(int server) const;
    /// The worst of `findings`, indices into the report's.
    static std::optional<Severity> worstOf(const QList<int> &findings, const Findings &all);

private:
    QList<DevicePlace> m_places;
    QHash<QPair<int, int>, QList<int>> m_at;
    QHash<int, Severity> m_worst;
};

} // namespace rankdeck

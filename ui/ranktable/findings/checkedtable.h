#pragma once

#include "ranktable/rules/ranktablecheck.h"

#include <QHash>
#include <QPair>

#include <memory>

namespace rankdeck
{

/// A server of a rank table, or one of its devices: indices into RankTable::servers and Server::devices.
struct DevicePlace {
    int server = -1; ///< -1: none.
    int device = -1; ///< -1: the server itself.

    bool isValid() const { return server >= 0; }
    bool operator==(const DevicePlace &) const = default;
};

/// Maps the findings of a report to servers and devices.
class FindingPlaces
{
public:
    FindingPlaces() = default;
    explicit FindingPlaces(const CheckReport &report);

    /// Returns the place of the finding at this index; invalid if it is about the whole table.
    DevicePlace placeOf(int finding) const { return m_places.value(finding); }
    /// Returns the indices of the findings about exactly this place.
    QList<int> findingsAt(DevicePlace place) const { return m_at.value({place.server, place.device}); }
    /// Returns the worst severity of a server and its devices.
    std::optional<Severity> worstWithin(int server) const;

private:
    QList<DevicePlace> m_places;
    QHash<QPair<int, int>, QList<int>> m_at;
    QHash<int, Severity> m_worst;
};

/// A report with its findings by place; shown by the views of a rank table page.
struct CheckedTable {
    std::shared_ptr<const CheckReport> report;
    FindingPlaces places;

    const RankTable &table() const { return report->table; }
    const Server &server(DevicePlace place) const { return table().servers[size_t(place.server)]; }
    const Device &device(DevicePlace place) const { return server(place).devices[size_t(place.device)]; }
    const Finding &finding(int index) const { return report->findings[size_t(index)]; }
    /// Returns the worst severity of the findings about exactly this place.
    std::optional<Severity> worstAt(DevicePlace place) const;
    /// Returns the line in the file, from 1; 0 if unknown.
    int lineOf(DevicePlace place) const;
};

using SharedTable = std::shared_ptr<const CheckedTable>;

/// Returns "rank 3", or "no rank" if the form names no ranks.
QString rankWords(const Device &device);
/// Returns "device 3", or "host" for a process without a device.
QString deviceWords(const Device &device);
/// Returns "1 server, 8 devices".
QString sizeWords(const RankTable &table);
/// Returns a server's pod name, super pod and group: "super pod 0, group default"; may be empty.
QString membershipWords(const RankTable &table, int server);
/// Returns the findings of a place, one in each line; may be empty.
QString findingWords(const CheckedTable &checked, DevicePlace place);
/// Returns the description of a device for tool tips and screen readers.
QString deviceDescription(const CheckedTable &checked, DevicePlace place);
/// Returns a tool tip that shows `text`, which comes from a file, unchanged: never as markup.
QString plainToolTip(const QString &text);

} // namespace rankdeck

#include "ranktable/tabletreemodel.h"

#include "ranktable/severitywords.h"
#include "ranktable/tablewords.h"

namespace rankdeck
{

namespace
{

// The internal id of a row: 0 for a server, else its server's index and one.
constexpr quintptr serverRow = 0;

} // namespace

TableTreeModel::TableTreeModel(QObject *parent)
    : QAbstractItemModel(parent)
{
}

void TableTreeModel::setTable(const SharedTable &table)
{
    beginResetModel();
    m_table = table;
    endResetModel();
}

void TableTreeModel::setIcons(const SeverityIcons &icons)
{
    m_icons = icons;
}

DevicePlace TableTreeModel::placeOf(const QModelIndex &index) const
{
    if (!index.isValid())
        return {};
    if (index.internalId() == serverRow)
        return {index.row(), -1};
    return {int(index.internalId()) - 1, index.row()};
}

QModelIndex TableTreeModel::indexOf(DevicePlace place) const
{
    if (!place.isValid() || place.server >= rowCount())
        return {};
    const QModelIndex server = index(place.server, 0);
    if (place.device < 0)
        return server;
    return place.device < rowCount(server) ? index(place.device, 0, server) : QModelIndex();
}

QModelIndex TableTreeModel::index(int row, int column, const QModelIndex &parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row()) + 1 : serverRow);
}

QModelIndex TableTreeModel::parent(const QModelIndex &child) const
{
    if (!child.isValid() || child.internalId() == serverRow)
        return {};
    return createIndex(int(child.internalId()) - 1, 0, serverRow);
}

int TableTreeModel::rowCount(const QModelIndex &parent) const
{
    if (!m_table)
        return 0;
    if (!parent.isValid())
        return int(m_table->table().servers.size());
    if (parent.internalId() != serverRow || parent.column() != 0)
        return 0;
    return int(m_table->server({parent.row(), -1}).devices.size());
}

int TableTreeModel::columnCount(const QModelIndex &) const
{
    return ColumnCount;
}

QVariant TableTreeModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const DevicePlace place = placeOf(index);
    const bool isServer = place.device < 0;
    switch (role) {
    case Qt::DisplayRole:
        return isServer ? serverText(place.server, index.column()) : deviceText(place, index.column());
    case Qt::DecorationRole:
        if (index.column() != FindingColumn)
            return {};
        if (const auto severity = worst(place))
            return m_icons.of(*severity);
        return {};
    case Qt::ToolTipRole:
        return plainToolTip(isServer ? findingWords(*m_table, place) : deviceDescription(*m_table, place));
    case Qt::AccessibleTextRole:
        return isServer ? data(index, Qt::DisplayRole) : deviceDescription(*m_table, place);
    default:
        return {};
    }
}

QVariant TableTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Server, rank");
    case DeviceColumn:
        return tr("Device");
    case IpColumn:
        return tr("Device IP");
    case SuperDeviceColumn:
        return tr("Super device ID");
    case FindingColumn:
        return tr("Findings");
    default:
        return {};
    }
}

QString TableTreeModel::serverText(int server, int column) const
{
    const Server &shown = m_table->server({server, -1});
    switch (column) {
    case NameColumn:
        return shown.serverId.isEmpty() ? tr("(no server_id)") : shown.serverId;
    case DeviceColumn:
        return shown.devices.size() == 1 ? tr("1 device")
                                         : tr("%n devices", nullptr, int(shown.devices.size()));
    case IpColumn:
        return membershipWords(m_table->table(), server);
    case FindingColumn:
        return findingText({server, -1});
    default:
        return {};
    }
}

QString TableTreeModel::deviceText(DevicePlace place, int column) const
{
    const Device &device = m_table->device(place);
    switch (column) {
    case NameColumn:
        return rankWords(device);
    case DeviceColumn:
        return deviceWords(device);
    case IpColumn:
        return device.deviceIp;
    case SuperDeviceColumn:
        return device.superDeviceId;
    case FindingColumn:
        return findingText(place);
    default:
        return {};
    }
}

/// Few words: what is said stands in the list of findings and in the tool tip.
QString TableTreeModel::findingText(DevicePlace place) const
{
    const QList<int> own = m_table->places.findingsAt(place);
    const std::optional<Severity> all = worst(place);
    if (!all)
        return {};
    if (FindingPlaces::worstOf(own, m_table->report->findings) != all)
        return tr("%1 below").arg(severityWord(*all));
    return own.size() == 1 ? severityWord(*all) : tr("%n findings", nullptr, int(own.size()));
}

std::optional<Severity> TableTreeModel::worst(DevicePlace place) const
{
    if (place.device < 0)
        return m_table->places.worstWithin(place.server);
    return FindingPlaces::worstOf(m_table->places.findingsAt(place), m_table->report->findings);
}

} // namespace rankdeck

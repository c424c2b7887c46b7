#include "ranktable/tablegridmodel.h"

#include "ranktable/tablewords.h"

#include <algorithm>

namespace rankdeck
{

TableGridModel::TableGridModel(QObject *parent)
    : QAbstractTableModel(parent)
{
}

void TableGridModel::setTable(const SharedTable &table)
{
    beginResetModel();
    m_table = table;
    m_columns = 0;
    if (m_table) {
        for (const Server &server : m_table->table().servers)
            m_columns = std::max(m_columns, int(server.devices.size()));
    }
    endResetModel();
}

void TableGridModel::setIcons(const SeverityIcons &icons)
{
    m_icons = icons;
}

DevicePlace TableGridModel::placeOf(const QModelIndex &index) const
{
    if (!index.isValid() || index.column() >= int(m_table->server({index.row(), -1}).devices.size()))
        return {};
    return {index.row(), index.column()};
}

QModelIndex TableGridModel::indexOf(DevicePlace place) const
{
    return place.isValid() ? index(place.server, std::max(0, place.device)) : QModelIndex();
}

int TableGridModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() || !m_table ? 0 : int(m_table->table().servers.size());
}

int TableGridModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : m_columns;
}

QVariant TableGridModel::data(const QModelIndex &index, int role) const
{
    const DevicePlace place = placeOf(index);
    if (!place.isValid())
        return {};
    const Device &device = m_table->device(place);
    switch (role) {
    case Qt::DisplayRole:
        return QStringLiteral("%1\n%2").arg(rankWords(device), deviceWords(device));
    case Qt::DecorationRole:
        if (const auto severity =
                FindingPlaces::worstOf(m_table->places.findingsAt(place), m_table->report->findings))
            return m_icons.of(*severity);
        return {};
    case Qt::ToolTipRole:
        return plainToolTip(deviceDescription(*m_table, place));
    case Qt::AccessibleTextRole:
        return deviceDescription(*m_table, place);
    default:
        return {};
    }
}

QVariant TableGridModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (!m_table || orientation != Qt::Vertical || section >= rowCount())
        return {};
    if (role == Qt::DisplayRole)
        return m_table->server({section, -1}).serverId;
    if (role == Qt::DecorationRole) {
        const auto severity =
            FindingPlaces::worstOf(m_table->places.findingsAt({section, -1}), m_table->report->findings);
        if (severity)
            return m_icons.of(*severity);
    }
    return {};
}

Qt::ItemFlags TableGridModel::flags(const QModelIndex &index) const
{
    return placeOf(index).isValid() ? Qt::ItemIsEnabled | Qt::ItemIsSelectable : Qt::NoItemFlags;
}

} // namespace rankdeck

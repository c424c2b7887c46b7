#include "ranktable/tabletree.h"

#include "ranktable/tabletreemodel.h"

#include <QHeaderView>

#include <algorithm>

namespace rankdeck
{

namespace
{

// More rows than that are opened one by one.
constexpr int mostDevicesExpanded = 256;
// Widths are fitted to this many rows, not to all of a large table.
constexpr int rowsMeasured = 64;

} // namespace

TableTree::TableTree(QWidget *parent)
    : QTreeView(parent)
    , m_model(new TableTreeModel(this))
{
    setModel(m_model);
    setUniformRowHeights(true);
    setAllColumnsShowFocus(true);
    setTabKeyNavigation(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setAccessibleName(tr("Servers and devices"));
    setAnimated(false);
    viewport()->setAttribute(Qt::WA_Hover, false);
    header()->setResizeContentsPrecision(rowsMeasured);
    header()->setStretchLastSection(true);
}

void TableTree::setTable(const SharedTable &table)
{
    m_showing = true;
    m_model->setTable(table);
    m_showing = false;
    if (!table)
        return;
    if (table->table().deviceCount() <= mostDevicesExpanded)
        expandAll();
    else
        expand(m_model->index(0, 0));
    hideEmptyColumns(table->table());
    // A long name must not push what is found out of sight.
    const int most = std::max(160, viewport()->width() * 2 / 5);
    for (int column = 0; column < TableTreeModel::ColumnCount; ++column) {
        resizeColumnToContents(column);
        if (columnWidth(column) > most)
            setColumnWidth(column, most);
    }
}

/// Not every form has addresses or super pods.
void TableTree::hideEmptyColumns(const RankTable &table)
{
    bool hasIps = !table.groups.empty() || !table.superPods.empty();
    bool hasSuperDevices = false;
    for (const Server &server : table.servers) {
        for (const Device &device : server.devices) {
            hasIps = hasIps || !device.deviceIp.isEmpty();
            hasSuperDevices = hasSuperDevices || !device.superDeviceId.isEmpty();
        }
        if (hasIps && hasSuperDevices)
            break;
    }
    setColumnHidden(TableTreeModel::IpColumn, !hasIps);
    setColumnHidden(TableTreeModel::SuperDeviceColumn, !hasSuperDevices);
}

void TableTree::setIcons(const SeverityIcons &icons)
{
    m_model->setIcons(icons);
    viewport()->update();
}

void TableTree::showPlace(DevicePlace place)
{
    const QModelIndex index = m_model->indexOf(place);
    // What the user is at is not to move under the mouse.
    if (index.isValid() && index == currentIndex().siblingAtColumn(index.column()))
        return;
    m_showing = true;
    setCurrentIndex(index);
    if (index.isValid())
        scrollTo(index);
    else
        clearSelection();
    m_showing = false;
}

void TableTree::currentChanged(const QModelIndex &current, const QModelIndex &previous)
{
    QTreeView::currentChanged(current, previous);
    if (!m_showing && current.isValid())
        Q_EMIT placeChosen(m_model->placeOf(current));
}

} // namespace rankdeck

#pragma once

#include "ranktable/checkedtable.h"
#include "ranktable/severityicons.h"

#include <QAbstractItemModel>

namespace rankdeck
{

/// The servers of a rank table, and under each its devices. Nothing is stored per row.
class TableTreeModel : public QAbstractItemModel
{
    Q_OBJECT

public:
    enum Column { NameColumn, DeviceColumn, FindingColumn, IpColumn, SuperDeviceColumn, ColumnCount };

    explicit TableTreeModel(QObject *parent = nullptr);

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons);
    DevicePlace placeOf(const QModelIndex &index) const;
    /// Not valid when there is no such place.
    QModelIndex indexOf(DevicePlace place) const;

    QModelIndex index(int row, int column, const QModelIndex &parent = {}) const override;
    QModelIndex parent(const QModelIndex &child) const override;
    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString serverText(int server, int column) const;
    QString deviceText(DevicePlace place, int column) const;
    QString findingText(DevicePlace place) const;
    std::optional<Severity> worst(DevicePlace place) const;

    SharedTable m_table;
    SeverityIcons m_icons;
};

} // namespace rankdeck

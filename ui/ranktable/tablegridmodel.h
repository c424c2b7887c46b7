#pragma once

#include "ranktable/checkedtable.h"
#include "ranktable/severityicons.h"

#include <QAbstractTableModel>

namespace rankdeck
{

/// A row for each server of a rank table, a cell for each of its devices.
class TableGridModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    explicit TableGridModel(QObject *parent = nullptr);

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons);
    /// Not valid where a server has no device in that column.
    DevicePlace placeOf(const QModelIndex &index) const;
    QModelIndex indexOf(DevicePlace place) const;

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    SharedTable m_table;
    SeverityIcons m_icons;
    int m_columns = 0;
};

} // namespace rankdeck

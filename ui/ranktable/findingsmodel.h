#pragma once

#include "ranktable/checkedtable.h"
#include "ranktable/severityicons.h"

#include <QAbstractTableModel>

namespace rankdeck
{

/// The findings of a report, in the order of their places.
class FindingsModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { SeverityColumn, PlaceColumn, WhatColumn, MendColumn, ColumnCount };

    explicit FindingsModel(QObject *parent = nullptr);

    void setTable(const SharedTable &table);
    void setIcons(const SeverityIcons &icons);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// "12:5"; "file" for a finding that speaks of all of it.
    static QString placeText(const Finding &finding);

private:
    SharedTable m_table;
    SeverityIcons m_icons;
};

} // namespace rankdeck

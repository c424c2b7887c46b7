#pragma once

#include "diagnosis/recorder/collectivetable.h"
#include "widgets/widgetparts.h"

#include <QAbstractTableModel>

namespace rankdeck
{

/// The last collectives of a process group: ranks as rows, collectives as columns, the newest last.
class CollectivesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setPalette(const QPalette &palette) { m_palette = palette; }
    void setTable(const CollectiveTable &table);
    const CollectiveTable &table() const { return m_table; }
    /// A sentence on a cell; empty for none.
    QString words(const QModelIndex &index) const;

    int rowCount(const QModelIndex &parent = {}) const override
    {
        return countBelow(parent, qsizetype(m_table.rows.size()));
    }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return countBelow(parent, m_table.sequences.size());
    }
    QVariant data(const QModelIndex &index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const CollectiveCell &cell(const QModelIndex &index) const
    {
        return m_table.rows[std::size_t(index.row())].cells[std::size_t(index.column())];
    }

    QPalette m_palette;
    CollectiveTable m_table;
};

} // namespace rankdeck

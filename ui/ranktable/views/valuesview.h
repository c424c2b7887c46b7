#pragma once

#include "widgets/widgetparts.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <vector>

namespace rankdeck
{

/// Rows with fixed labels and one editable value each.
class ValuesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    struct Row {
        QStringList labels;
        QString value;
    };

    /// @param header the headings of the labels, then that of the value.
    explicit ValuesModel(QStringList header, QObject *parent = nullptr)
        : QAbstractTableModel(parent)
        , m_header(std::move(header))
    {
    }

    void setRows(std::vector<Row> rows);
    const std::vector<Row> &rows() const { return m_rows; }
    int valueColumn() const { return int(m_header.size()) - 1; }
    /// Puts `values` into the rows from `first` on; ignores values beyond the last row.
    void setValues(int first, const QStringList &values);

    int rowCount(const QModelIndex &parent = {}) const override { return countBelow(parent, m_rows.size()); }
    int columnCount(const QModelIndex &parent = {}) const override
    {
        return countBelow(parent, m_header.size());
    }
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        return orientation == Qt::Horizontal && role == Qt::DisplayRole ? m_header.value(section)
                                                                        : QVariant();
    }
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    QStringList m_header;
    std::vector<Row> m_rows;
};

/// Shows a ValuesModel; pastes several lines into as many rows.
class ValuesView : public QTableView
{
    Q_OBJECT

public:
    explicit ValuesView(ValuesModel *model);

protected:
    void keyPressEvent(QKeyEvent *event) override;

private:
    ValuesModel *m_model;
};

} // namespace rankdeck

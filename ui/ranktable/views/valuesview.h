#pragma once

#include <QAbstractTableModel>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// Rows of fixed labels, each with one value that can be edited.
class ValuesModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    struct Row {
        QStringList labels;
        QString value;
    };

    /// @param header of the labels, and last that of the value.
    explicit ValuesModel(QStringList header, QObject *parent = nullptr);

    void setRows(std::vector<Row> rows);
    const std::vector<Row> &rows() const { return m_rows; }
    int valueColumn() const { return int(m_header.size()) - 1; }
    /// Put `values` into the rows from `first` on; those that are left over are dropped.
    void setValues(int first, const QStringList &values);

    int rowCount(const QModelIndex &parent = {}) const override;
    int columnCount(const QModelIndex &parent = {}) const override;
    QVariant data(const QModelIndex &index, int role) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex &index) const override;

private:
    QStringList m_header;
    std::vector<Row> m_rows;
};

} // namespace rankdeck

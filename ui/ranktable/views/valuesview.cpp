#include "ranktable/views/valuesview.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

#include <algorithm>

namespace rankdeck
{

void ValuesModel::setRows(std::vector<Row> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void ValuesModel::setValues(int first, const QStringList &values)
{
    const int count = std::min(int(values.size()), rowCount() - first);
    if (count <= 0)
        return;
    for (int at = 0; at < count; ++at)
        m_rows[size_t(first) + size_t(at)].value = values.at(at).trimmed();
    Q_EMIT dataChanged(index(first, valueColumn()), index(first + count - 1, valueColumn()));
}

QVariant ValuesModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    const Row &row = m_rows[size_t(index.row())];
    return index.column() == valueColumn() ? row.value : row.labels.value(index.column());
}

bool ValuesModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::EditRole || index.column() != valueColumn())
        return false;
    setValues(index.row(), {value.toString()});
    return true;
}

Qt::ItemFlags ValuesModel::flags(const QModelIndex &index) const
{
    const Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    return index.column() == valueColumn() ? flags | Qt::ItemIsEditable : flags;
}

ValuesView::ValuesView(ValuesModel *model)
    : m_model(model)
{
    setModel(model);
    setTabKeyNavigation(false);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setEditTriggers(QAbstractItemView::AnyKeyPressed | QAbstractItemView::EditKeyPressed |
                    QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked);
    viewport()->setAttribute(Qt::WA_Hover, false);
    verticalHeader()->hide();
    fitRowsToText(this);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setHighlightSections(false);
}

void ValuesView::keyPressEvent(QKeyEvent *event)
{
    if (!event->matches(QKeySequence::Paste) || !currentIndex().isValid())
        return QTableView::keyPressEvent(event);
    const QStringList lines = QApplication::clipboard()->text().split('\n'_L1, Qt::SkipEmptyParts);
    m_model->setValues(currentIndex().row(), lines);
}

} // namespace rankdeck

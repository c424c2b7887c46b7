#include "devicedetails/devicetable.h"

#include "launch/plan/launchplan.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

namespace rankdeck
{

DeviceTable::DeviceTable(QWidget *parent)
    : QTableView(parent)
    , m_model(new DeviceTableModel(this))
    , m_filter(new DeviceTableFilter(this))
{
    named(this, "deviceTable", tr("NPUs and processes of the ranks"));
    adaptToPalette(this, [this] { m_model->setPalette(palette()); });
    m_filter->setSourceModel(m_model);
    setModel(m_filter);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setTabKeyNavigation(false);
    setShowGrid(false);
    setWordWrap(false);
    viewport()->setAttribute(Qt::WA_Hover, false);
    verticalHeader()->hide();
    fitRowsToText(this);
    horizontalHeader()->setHighlightSections(false);
    setSortingEnabled(true);
    sortByColumn(DeviceTableModel::RankColumn, Qt::AscendingOrder);
}

void DeviceTable::setProcesses(const LaunchPlan &plan, const QList<int> &processes)
{
    const int current = currentProcess();
    m_model->setProcesses(plan, processes);
    showColumns();
    choose(processes.contains(current) ? current : -1);
}

/// Makes the row of `process` current, else the first one.
void DeviceTable::choose(int process)
{
    if (m_filter->rowCount() == 0)
        return;
    int row = 0;
    for (int at = 0; at < m_filter->rowCount(); ++at) {
        if (m_model->process(m_filter->mapToSource(m_filter->index(at, 0)).row()) == process)
            row = at;
    }
    setCurrentIndex(m_filter->index(row, DeviceTableModel::RankColumn));
}

void DeviceTable::setSamples(const RunSamples &samples, const SampleAges &ages, const QDateTime &now)
{
    m_model->setSamples(samples, ages, now);
    showColumns();
}

void DeviceTable::showColumns()
{
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const bool isHidden = column != DeviceTableModel::RankColumn && !m_model->hasValues(column);
        if (isHidden == isColumnHidden(column) && (isHidden || m_filter->rowCount() == 0))
            continue;
        const bool wasHidden = isColumnHidden(column);
        if (wasHidden != isHidden)
            setColumnHidden(column, isHidden);
        if (isHidden)
            continue;
        // Columns grow with their content but never shrink, so that they do not jump.
        const int wanted = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        if (wasHidden || wanted > columnWidth(column))
            setColumnWidth(column, wanted);
    }
}

void DeviceTable::setFilter(const QString &words)
{
    const int current = currentProcess();
    m_filter->setWords(words);
    if (currentProcess() < 0)
        choose(current);
}

int DeviceTable::currentProcess() const
{
    const QModelIndex index = currentIndex();
    return index.isValid() ? m_model->process(m_filter->mapToSource(index).row()) : -1;
}

QString DeviceTable::text() const
{
    QList<int> columns;
    for (int column = 0; column < m_model->columnCount(); ++column) {
        if (!isColumnHidden(column))
            columns << column;
    }
    QList<int> rows = listOf(selectionModel()->selectedRows(), &QModelIndex::row);
    std::ranges::sort(rows);
    // One row is always selected: it is not a choice to copy.
    if (rows.size() < 2) {
        rows.resize(m_filter->rowCount());
        std::iota(rows.begin(), rows.end(), 0);
    }
    const auto lineOf = [&columns](auto cell) {
        const QStringList cells =
            listOf(columns, [&](int column) { return cell(column).toString().simplified(); });
        return cells.join('\t'_L1) + '\n'_L1;
    };
    QString text = lineOf([this](int column) { return m_filter->headerData(column, Qt::Horizontal); });
    for (const int row : std::as_const(rows))
        text += lineOf([this, row](int column) { return m_filter->index(row, column).data(); });
    return text;
}

void DeviceTable::keyPressEvent(QKeyEvent *event)
{
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(text());
    else
        QTableView::keyPressEvent(event);
}

} // namespace rankdeck

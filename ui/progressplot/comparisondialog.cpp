#include "progressplot/comparisondialog.h"

#include "background/inbackground.h"
#include "progressplot/progressplot.h"

#include <QHeaderView>
#include <QTableWidget>

namespace rankdeck
{

static Result<std::vector<ComparedRun>> readAll(const QStringList &directories)
{
    std::vector<ComparedRun> runs;
    for (const QString &directory : directories) {
        auto run = readComparedRun(directory);
        if (!run)
            return run.error();
        runs.push_back(std::move(run.value()));
    }
    return runs;
}

ComparisonDialog::ComparisonDialog(const QStringList &directories, QWidget *parent)
    : QDialog(parent)
    , m_status(new QLabel(
          tr("Reading the logs of %n runs…", "Reading the log of %n run…", int(directories.size())), this))
    , m_table(named(new QTableWidget(this), "comparison", tr("How the runs differ")))
    , m_plot(new ProgressPlot(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(u"comparisonDialog"_s);
    setWindowTitle(tr("Compare runs"));
    m_status->setTextFormat(Qt::PlainText);
    m_status->setWordWrap(true);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    fitRowsToText(m_table);
    m_table->setWordWrap(false);
    auto *parts = splitterOf(Qt::Vertical, {m_table, m_plot});
    parts->setSizes({1, 1}); // Both halves alike.
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_status);
    layout->addWidget(parts, 1);
    layout->addWidget(buttons);
    resizeInText(this, 110, 36);
    inBackground(
        this, [directories] { return readAll(directories); },
        [this](const Result<std::vector<ComparedRun>> &runs) { showRuns(runs); });
}

void ComparisonDialog::showRuns(const Result<std::vector<ComparedRun>> &runs)
{
    if (!runs) {
        m_status->setText(runs.error().sentence());
        return;
    }
    const QList<ComparisonRow> rows = compareRuns(*runs);
    QStringList header{tr("What")};
    QList<PlotCurve> curves;
    for (const ComparedRun &run : *runs) {
        header << run.state.name;
        curves.append({run.rank, run.loss, run.stepTime, run.progress.steps.value_or(0), run.state.name});
    }
    m_table->setColumnCount(int(header.size()));
    m_table->setHorizontalHeaderLabels(header);
    m_table->setRowCount(int(rows.size()));
    int differing = 0;
    for (int row = 0; row < rows.size(); ++row) {
        const ComparisonRow &its = rows.at(row);
        differing += its.isOption ? 1 : 0;
        for (int column = 0; column < header.size(); ++column) {
            const QString text = column == 0 ? its.name : its.values.at(column - 1);
            auto *item = new QTableWidgetItem(text);
            item->setToolTip(u"<p>%1</p>"_s.arg(text.toHtmlEscaped()));
            m_table->setItem(row, column, item);
        }
    }
    m_table->resizeColumnToContents(0);
    for (int column = 1; column < header.size(); ++column)
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
    m_plot->setCurves(curves);
    const QString options = differing == 0 ? tr("All options are the same.")
                                           : tr("%n options differ.", "%n option differs.", differing);
    m_status->setText(
        tr("%1 A run's curve is that of its rank that came farthest.", "which options differ").arg(options));
}

} // namespace rankdeck

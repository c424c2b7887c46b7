#include "launchform/planpanel.h"

#include "launch/commandline.h"
#include "launchform/erroroption.h"
#include "state/tone.h"

#include <QFontDatabase>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

namespace rankdeck
{

namespace
{

/// Elides at the left: what tells logs apart is the end of their names.
class EndKeepingDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideLeft;
    }
};

QLabel *plainLabel(const char *objectName)
{
    auto *label = new QLabel;
    label->setObjectName(QLatin1String(objectName));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    return label;
}

/// "8 processes on 127.0.0.1, world size 8".
QString summaryOf(const LaunchPlan &plan)
{
    const int count = int(plan.processes.size());
    const QString processes =
        count == 1 ? PlanPanel::tr("1 process") : PlanPanel::tr("%n processes", nullptr, count);
    return PlanPanel::tr("%1 on %2, world size %3").arg(processes, placeOf(plan)).arg(plan.worldSize());
}

QString titleOf(const ProcessPlan &process)
{
    if (process.role == Role::Scheduler)
        return PlanPanel::tr("Scheduler");
    if (process.device == ProcessPlan::noDevice)
        return PlanPanel::tr("Rank %1").arg(process.rank.value);
    return PlanPanel::tr("Rank %1, device %2").arg(process.rank.value).arg(process.device.value);
}

/// What the launch runs beside its processes, and what there is to know of it.
QStringList notesOf(const LaunchPlan &plan)
{
    QStringList notes;
    for (const ProcessPlan &hook : plan.before)
        notes << (hook.node.isEmpty() ? PlanPanel::tr("Before the launch: %1")
                                      : PlanPanel::tr("Before the launch, on its nodes: %1"))
                     .arg(joinCommandLine(hook.argv).left(200));
    for (const ProcessPlan &hook : plan.after)
        notes << (hook.node.isEmpty() ? PlanPanel::tr("After the launch: %1")
                                      : PlanPanel::tr("After the launch, on its nodes: %1"))
                     .arg(joinCommandLine(hook.argv).left(200));
    notes.removeDuplicates();
    return notes + plan.notes;
}

/// The fields say the same, but they may be out of sight.
QString reasonOf(const QList<Error> &errors)
{
    QStringList lines{PlanPanel::tr("No plan yet.")};
    for (const Error &error : errors)
        lines += sentenceAt({}, error);
    return lines.join(QStringLiteral("\n\n"));
}

} // namespace

PlanPanel::PlanPanel(QWidget *parent)
    : QWidget(parent)
    , m_model(new PlanModel(this))
    , m_summary(plainLabel("planSummary"))
    , m_pages(new QStackedWidget)
    , m_reason(plainLabel("planReason"))
    , m_table(new QTableView)
    , m_notes(plainLabel("planNotes"))
    , m_detailsTitle(new QLabel)
    , m_details(new QPlainTextEdit)
{
    connect(m_model, &PlanModel::terminalsWanted, this, &PlanPanel::terminalsWanted);
    auto *title = new QLabel(tr("&Plan"));
    QFont bold = title->font();
    bold.setBold(true);
    title->setFont(bold);
    title->setBuddy(m_table);

    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->setMargin(24);
    m_pages->addWidget(m_reason);
    m_pages->addWidget(makePlanPage());

    auto *heading = new QHBoxLayout;
    heading->addWidget(title);
    heading->addWidget(m_summary, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 2, 0, 0);
    layout->addLayout(heading);
    layout->addWidget(m_notes);
    layout->addWidget(m_pages, 1);
    m_notes->hide();
}

QWidget *PlanPanel::makePlanPage()
{
    m_table->setObjectName(QStringLiteral("planTable"));
    m_table->setAccessibleName(tr("Plan"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setItemDelegateForColumn(PlanModel::LogColumn, new EndKeepingDelegate(m_table));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().lineSpacing() + 6);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &PlanPanel::showDetails);

    m_details->setObjectName(QStringLiteral("planDetails"));
    m_details->setReadOnly(true);
    m_details->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_details->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_details->setTabChangesFocus(true);
    m_detailsTitle->setTextFormat(Qt::PlainText);
    m_detailsTitle->setBuddy(m_details);

    auto *details = new QWidget;
    auto *layout = new QVBoxLayout(details);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_detailsTitle);
    layout->addWidget(m_details);
    auto *splitter = new QSplitter(Qt::Vertical);
    splitter->addWidget(m_table);
    splitter->addWidget(details);
    splitter->setChildrenCollapsible(false);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    return splitter;
}

QList<QWidget *> PlanPanel::focusOrder() const
{
    return {m_table, m_details};
}

void PlanPanel::showPreview(const PreviewResult &result)
{
    if (result.plan)
        setPlan(*result.plan);
    else if (!result.tableStatus.isEmpty())
        setEmpty(tr("The plan is made once the rank table is completed."));
    else
        setEmpty(reasonOf(result.errors));
}

void PlanPanel::setPlan(const LaunchPlan &plan)
{
    const int row = m_table->currentIndex().row();
    const int currentColumn = qMax(m_table->currentIndex().column(), 0);
    m_model->setPlan(plan);
    m_summary->setText(summaryOf(plan));
    const QStringList notes = notesOf(plan);
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    m_pages->setCurrentIndex(1);
    m_table->setColumnHidden(PlanModel::DeviceColumn, !m_model->hasDevices());
    m_table->resizeColumnToContents(PlanModel::RankColumn);
    m_table->resizeColumnToContents(PlanModel::TerminalColumn);
    m_table->setCurrentIndex(m_model->index(row >= 0 && row < m_model->rowCount() ? row : 0, currentColumn));
    showDetails();
    if (m_columnsSized)
        return;
    m_columnsSized = true;
    m_table->resizeColumnToContents(PlanModel::DeviceColumn);
    const int rest = m_pages->width() - m_table->columnWidth(PlanModel::RankColumn) -
                     m_table->columnWidth(PlanModel::DeviceColumn) -
                     m_table->columnWidth(PlanModel::TerminalColumn);
    // In a small window the table scrolls: a column of three letters tells nothing.
    const int wide = qMax(rest / 3, m_table->fontMetrics().averageCharWidth() * 18);
    for (const int column : {PlanModel::CommandColumn, PlanModel::EnvironmentColumn, PlanModel::LogColumn})
        m_table->setColumnWidth(column, wide);
}

void PlanPanel::setEmpty(const QString &reason)
{
    m_model->clear();
    m_summary->clear();
    m_notes->clear();
    m_notes->hide();
    m_reason->setText(reason);
    m_pages->setCurrentIndex(0);
}

void PlanPanel::showDetails()
{
    const int row = m_table->currentIndex().row();
    if (row < 0 || row >= m_model->rowCount()) {
        m_detailsTitle->clear();
        m_details->clear();
        return;
    }
    const ProcessPlan &process = m_model->plan().processes[size_t(row)];
    m_detailsTitle->setText(titleOf(process));
    const QString text = processDetails(process);
    if (m_details->toPlainText() != text)
        m_details->setPlainText(text);
}

} // namespace rankdeck

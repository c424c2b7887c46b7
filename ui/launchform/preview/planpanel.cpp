#include "launchform/preview/planpanel.h"

#include "base/numberranges.h"
#include "base/widespaces.h"
#include "launch/planning/wrappers.h"
#include "launch/text/commandline.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QStackedWidget>
#include <QStyledItemDelegate>

#include <algorithm>

namespace rankdeck
{

namespace
{

bool differs(const LaunchPlan &plan, const QString &variable)
{
    const QString first = plan.processes.front().setVariables.value(variable);
    return std::ranges::any_of(plan.processes, [&](const ProcessPlan &process) {
        return process.setVariables.value(variable) != first;
    });
}

/// Returns the path of the log below the folder that all logs are in.
QString logName(const LaunchPlan &plan, const ProcessPlan &process)
{
    QString folder = QFileInfo(plan.processes.front().logFile).path();
    while (folder.contains('/'_L1) && folder != "/"_L1 &&
           !plan.processes.back().logFile.startsWith(folder + '/'_L1))
        folder = QFileInfo(folder).path();
    folder += '/'_L1;
    return process.logFile.startsWith(folder) ? process.logFile.mid(folder.size()) : process.logFile;
}

/// Returns ascending numbers as "0-3, 8".
QString rangesOf(const QList<int> &numbers)
{
    QStringList ranges;
    for (qsizetype first = 0, last = 0; first < numbers.size(); first = ++last) {
        while (last + 1 < numbers.size() && numbers.at(last + 1) == numbers.at(last) + 1)
            ++last;
        const QString start = QString::number(numbers.at(first));
        ranges += first == last ? start : u"%1-%2"_s.arg(start).arg(numbers.at(last));
    }
    return ranges.join(", "_L1);
}

/// Returns the limits that a process does not inherit, one in each line.
QStringList limitLines(const ProcessPlan &process)
{
    QStringList lines;
    if (!process.cpus.isEmpty())
        lines += PlanModel::tr("Cpus: %1").arg(rangesOf(process.cpus));
    if (!process.memoryNodes.isEmpty())
        lines += PlanModel::tr("Memory of NUMA nodes: %1").arg(rangesOf(process.memoryNodes));
    if (process.nice != 0)
        lines += PlanModel::tr("Nice: %1").arg(process.nice);
    if (process.memoryLimitMiB > 0)
        lines += PlanModel::tr("Memory limit: %1 MiB").arg(process.memoryLimitMiB);
    if (process.openFiles > 0)
        lines += PlanModel::tr("Open files: %1").arg(process.openFiles);
    if (process.umask >= 0)
        lines += PlanModel::tr("Umask: %1").arg(process.umask, 3, 8, '0'_L1);
    return lines;
}

/// Returns false if the wrapper of the process needs a terminal anyway.
bool mayChooseTerminal(const LaunchPlan &plan, int row)
{
    const ProcessPlan &process = plan.processes[size_t(row)];
    return process.role == Role::Worker &&
           !(process.wrapperWords > 0 && isInteractiveTool(process.argv.constFirst()));
}

/// Elides at the left: the names of logs differ at their ends.
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

QString titleOf(const ProcessPlan &process)
{
    if (process.role == Role::Scheduler)
        return PlanPanel::tr("Scheduler");
    if (process.role == Role::Console)
        return PlanPanel::tr("Command");
    if (process.device == ProcessPlan::noDevice)
        return PlanPanel::tr("Rank %1").arg(process.rank.value);
    return PlanPanel::tr("Rank %1, device %2").arg(process.rank.value).arg(process.device.value);
}

/// Returns the commands that run before and after the processes, and the notes of the plan.
QStringList notesOf(const LaunchPlan &plan)
{
    QStringList notes;
    const auto add = [&notes](const auto &hooks, const QString &here, const QString &onNodes) {
        for (const ProcessPlan &hook : hooks)
            notes << (hook.node.isEmpty() ? here : onNodes).arg(joinCommandLine(hook.argv).left(200));
    };
    add(plan.before, PlanPanel::tr("Before the launch: %1"),
        PlanPanel::tr("Before the launch, on its nodes: %1"));
    add(plan.after, PlanPanel::tr("After the launch: %1"),
        PlanPanel::tr("After the launch, on its nodes: %1"));
    notes.removeDuplicates();
    return notes + textsOf(plan.notes);
}

/// Returns the variables of `process` as "NAME=value" words; those that differ between the processes come
/// first.
QString environmentSummary(const LaunchPlan &plan, const ProcessPlan &process)
{
    QStringList own;
    QStringList common;
    for (auto it = process.setVariables.cbegin(); it != process.setVariables.cend(); ++it)
        (differs(plan, it.key()) ? own : common) += it.key() + '='_L1 + shownPath(it.value());
    // Short ones first: paths are long and explain little.
    std::ranges::stable_sort(own, {}, &QString::size);
    return joinedBySpaces(own + common);
}

/// Returns all details of `process`, one in each line.
QString processDetails(const ProcessPlan &process)
{
    QStringList lines{
        PlanModel::tr("Command: %1").arg(joinCommandLine(process.argv)),
        PlanModel::tr("Work dir: %1").arg(shownPath(process.workDir)),
        PlanModel::tr("Log: %1").arg(shownPath(process.logFile)),
    };
    if (!process.stderrFile.isEmpty())
        lines += PlanModel::tr("Standard error: %1").arg(shownPath(process.stderrFile));
    if (!process.removeVariables.isEmpty())
        lines += PlanModel::tr("Removed variables: %1").arg(process.removeVariables.join(' '_L1));
    lines += limitLines(process);
    lines += QString();
    for (auto it = process.setVariables.cbegin(); it != process.setVariables.cend(); ++it)
        lines += it.key() + '='_L1 + shownPath(it.value());
    return lines.join('\n'_L1);
}

} // namespace

void PlanModel::setPlan(const LaunchPlan &plan)
{
    if (plan == m_plan)
        return;
    beginResetModel();
    m_plan = plan;
    m_environments.clear();
    for (const ProcessPlan &process : m_plan.processes)
        m_environments += environmentSummary(m_plan, process);
    endResetModel();
}

QVariant PlanModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const ProcessPlan &process = m_plan.processes[size_t(index.row())];
    if (role == Qt::TextAlignmentRole && index.column() <= DeviceColumn)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    if (index.column() == TerminalColumn && role == Qt::CheckStateRole && process.role == Role::Worker)
        return int(process.hasTerminal ? Qt::Checked : Qt::Unchecked);
    if (index.column() == TerminalColumn && role == Qt::AccessibleTextRole)
        return process.hasTerminal ? tr("has a terminal") : tr("has no terminal");
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case RankColumn:
        return process.role == Role::Worker ? QVariant(process.rank.value) : QVariant(processName(process));
    case DeviceColumn:
        return process.device == ProcessPlan::noDevice ? QVariant() : QVariant(process.device.value);
    case CommandColumn:
        return joinCommandLine(process.argv);
    case EnvironmentColumn:
        return m_environments.at(index.row());
    case LogColumn:
        return logName(m_plan, process);
    default:
        return {};
    }
}

QVariant PlanModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    static constexpr const char *headings[ColumnCount] = {QT_TR_NOOP("Rank"),        QT_TR_NOOP("Device"),
                                                          QT_TR_NOOP("Terminal"),    QT_TR_NOOP("Command"),
                                                          QT_TR_NOOP("Environment"), QT_TR_NOOP("Log")};
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (section <= DeviceColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    return tr(headings[section]);
}

Qt::ItemFlags PlanModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && index.column() == TerminalColumn && mayChooseTerminal(m_plan, index.row()))
        flags |= Qt::ItemIsUserCheckable;
    return flags;
}

bool PlanModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    if (role != Qt::CheckStateRole || !(flags(index) & Qt::ItemIsUserCheckable))
        return false;
    const bool isWanted = value.toInt() == Qt::Checked;
    QList<int> wanted;
    qsizetype workers = 0;
    for (int row = 0; row < rowCount(); ++row) {
        const ProcessPlan &process = m_plan.processes[size_t(row)];
        const bool isWorker = process.role == Role::Worker;
        workers += isWorker ? 1 : 0;
        // A wrapper that needs a terminal gets it anyway.
        if (isWorker && mayChooseTerminal(m_plan, row) &&
            (row == index.row() ? isWanted : process.hasTerminal))
            wanted << process.rank.value;
    }
    std::ranges::sort(wanted);
    const bool isAll = wanted.size() == workers && workers == m_plan.worldSize();
    Q_EMIT terminalsRequested(wanted.isEmpty() ? u"none"_s : isAll ? u"all"_s : numberRanges(wanted));
    return true;
}

bool PlanModel::hasDevices() const
{
    return std::ranges::any_of(
        m_plan.processes, [](const ProcessPlan &process) { return process.device != ProcessPlan::noDevice; });
}

PlanPanel::PlanPanel()
    : m_model(new PlanModel(this))
    , m_summary(plainLabel("planSummary"))
    , m_pages(new QStackedWidget)
    , m_reason(plainLabel("planReason"))
    , m_table(named(new QTableView, "planTable", tr("Plan")))
    , m_notes(plainLabel("planNotes"))
    , m_detailsTitle(lineLabel(""))
    , m_details(readOnlyText("planDetails"))
{
    connect(m_model, &PlanModel::terminalsRequested, this, &PlanPanel::terminalsRequested);
    auto *title = labelOf(m_table, tr("&Plan"));
    makeBold(title);

    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->setMargin(24);
    m_pages->addWidget(m_reason);
    m_pages->addWidget(makePlanPage());

    auto *heading = rowOf({title, {m_summary, 1}});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 2, 0, 0);
    addParts(layout, {heading, m_notes, {m_pages, 1}});
    m_notes->hide();
}

QWidget *PlanPanel::makePlanPage()
{
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setItemDelegateForColumn(PlanModel::LogColumn, new EndKeepingDelegate(m_table));
    m_table->verticalHeader()->hide();
    fitRowsToText(m_table);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &PlanPanel::showDetails);

    useFixedFont(m_details);
    m_details->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_detailsTitle->setBuddy(m_details);

    auto *details = new QWidget;
    auto *layout = new QVBoxLayout(details);
    layout->setContentsMargins(0, 4, 0, 0);
    layout->setSpacing(4);
    addParts(layout, {m_detailsTitle, m_details});
    return splitterOf(Qt::Vertical, {m_table, details}, {1, 1});
}

void PlanPanel::showPreview(const PreviewResult &result, const QStringList &steps)
{
    if (result.plan)
        setPlan(*result.plan);
    else if (!result.tableStatus.isEmpty())
        setEmpty(tr("Rankdeck makes the plan when the rank table is completed."));
    else
        setEmpty((QStringList{tr("To see the plan:")} + steps).join(u"\n\n"_s));
}

void PlanPanel::setPlan(const LaunchPlan &plan)
{
    const int row = m_table->currentIndex().row();
    const int currentColumn = qMax(m_table->currentIndex().column(), 0);
    m_model->setPlan(plan);
    m_summary->setText(
        tr("%n processes on %1, world size %2", "%n process on %1, world size %2", int(plan.processes.size()))
            .arg(placeOf(plan))
            .arg(plan.worldSize()));
    const QStringList notes = notesOf(plan);
    m_notes->setText(notes.join('\n'_L1));
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
    // In a small window the table scrolls: a column of three letters would be useless.
    const int wide = qMax(rest / 3, m_table->fontMetrics().averageCharWidth() * 18);
    for (const int column : {PlanModel::CommandColumn, PlanModel::EnvironmentColumn, PlanModel::LogColumn})
        m_table->setColumnWidth(column, wide);
}

void PlanPanel::setEmpty(const QString &reason)
{
    m_model->setPlan({});
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

#include "launchform/planmodel.h"

#include "launch/commandline.h"
#include "launch/wrappers.h"
#include "launchform/shownpath.h"
#include "numberranges.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

bool differs(const LaunchPlan &plan, const QString &variable)
{
    const QString first = plan.processes.front().setVariables.value(variable);
    return std::any_of(plan.processes.cbegin(), plan.processes.cend(), [&](const ProcessPlan &process) {
        return process.setVariables.value(variable) != first;
    });
}

/// Below the folder that the logs of all processes are in.
QString logName(const LaunchPlan &plan, const ProcessPlan &process)
{
    QString folder = QFileInfo(plan.processes.front().logFile).path();
    while (folder.contains(QLatin1Char('/')) && folder != QLatin1String("/") &&
           !plan.processes.back().logFile.startsWith(folder + QLatin1Char('/')))
        folder = QFileInfo(folder).path();
    folder += QLatin1Char('/');
    return process.logFile.startsWith(folder) ? process.logFile.mid(folder.size()) : process.logFile;
}

/// "0-3, 8" of ascending numbers.
QString rangesOf(const QList<int> &numbers)
{
    QStringList ranges;
    for (qsizetype first = 0, last = 0; first < numbers.size(); first = ++last) {
        while (last + 1 < numbers.size() && numbers.at(last + 1) == numbers.at(last) + 1)
            ++last;
        const QString start = QString::number(numbers.at(first));
        ranges += first == last ? start : QStringLiteral("%1-%2").arg(start).arg(numbers.at(last));
    }
    return ranges.join(QLatin1String(", "));
}

/// What a process does not inherit, a line each.
QStringList limitLines(const ProcessPlan &process)
{
    QStringList lines;
    if (!process.cpus.isEmpty())
        lines += PlanModel::tr("Cpus: %1").arg(rangesOf(process.cpus));
    if (process.nice != 0)
        lines += PlanModel::tr("Nice: %1").arg(process.nice);
    if (process.memoryLimitMiB > 0)
        lines += PlanModel::tr("Memory limit: %1 MiB").arg(process.memoryLimitMiB);
    if (process.openFiles > 0)
        lines += PlanModel::tr("Open files: %1").arg(process.openFiles);
    if (process.umask >= 0)
        lines += PlanModel::tr("Umask: %1").arg(process.umask, 3, 8, QLatin1Char('0'));
    return lines;
}

/// Not where its wrapper needs one.
bool mayChooseTerminal(const LaunchPlan &plan, int row)
{
    const ProcessPlan &process = plan.processes[size_t(row)];
    return process.role == Role::Worker &&
           !(process.wrapperWords > 0 && isInteractiveTool(process.argv.constFirst()));
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

void PlanModel::clear()
{
    setPlan({});
}

int PlanModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(m_plan.processes.size());
}

int PlanModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : int(ColumnCount);
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
        return process.role == Role::Scheduler ? QVariant(tr("scheduler")) : QVariant(process.rank.value);
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
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter |
                                   (section <= DeviceColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case RankColumn:
        return tr("Rank");
    case DeviceColumn:
        return tr("Device");
    case TerminalColumn:
        return tr("Terminal");
    case CommandColumn:
        return tr("Command");
    case EnvironmentColumn:
        return tr("Environment");
    case LogColumn:
        return tr("Log");
    default:
        return {};
    }
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
        // What a wrapper needs is not to be asked for.
        if (isWorker && mayChooseTerminal(m_plan, row) &&
            (row == index.row() ? isWanted : process.hasTerminal))
            wanted << process.rank.value;
    }
    std::sort(wanted.begin(), wanted.end());
    const bool isAll = wanted.size() == workers && workers == m_plan.worldSize();
    Q_EMIT terminalsWanted(wanted.isEmpty() ? QStringLiteral("none")
                           : isAll          ? QStringLiteral("all")
                                            : numberRanges(wanted));
    return true;
}

bool PlanModel::hasDevices() const
{
    return std::any_of(m_plan.processes.cbegin(), m_plan.processes.cend(),
                       [](const ProcessPlan &process) { return process.device != ProcessPlan::noDevice; });
}

QString environmentSummary(const LaunchPlan &plan, const ProcessPlan &process)
{
    QStringList own;
    QStringList common;
    for (auto it = process.setVariables.cbegin(); it != process.setVariables.cend(); ++it)
        (differs(plan, it.key()) ? own : common) += it.key() + QLatin1Char('=') + shownPath(it.value());
    // The paths among them are long and say nothing new: short ones first.
    std::stable_sort(own.begin(), own.end(),
                     [](const QString &a, const QString &b) { return a.size() < b.size(); });
    return (own + common).join(QLatin1Char(' '));
}

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
        lines += PlanModel::tr("Removed variables: %1").arg(process.removeVariables.join(QLatin1Char(' ')));
    lines += limitLines(process);
    lines += QString();
    for (auto it = process.setVariables.cbegin(); it != process.setVariables.cend(); ++it)
        lines += it.key() + QLatin1Char('=') + shownPath(it.value());
    return lines.join(QLatin1Char('\n'));
}

} // namespace rankdeck

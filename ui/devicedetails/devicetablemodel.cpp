#include "devicedetails/devicetablemodel.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

bool isNumber(const QString &text)
{
    bool isNumber = false;
    text.toDouble(&isNumber);
    return isNumber;
}

/// What of a sample is old, and since when.
DeviceValue lastKnown(const RunSamples::Sample &sample, const QDateTime &deviceOldSince,
                      const QDateTime &loadOldSince)
{
    const bool isDeviceOld = sample.device && deviceOldSince.isValid();
    const bool isLoadOld = sample.load && loadOldSince.isValid();
    if (!isDeviceOld && !isLoadOld)
        return {};
    const QDateTime since = isLoadOld ? loadOldSince : deviceOldSince;
    const QString text =
        isLoadOld && sample.device && !isDeviceOld ? DeviceTableModel::tr("processes not seen since %1")
        : isDeviceOld && sample.load && !isLoadOld ? DeviceTableModel::tr("NPU not read since %1")
                                                   : DeviceTableModel::tr("nothing since %1");
    return {since, text.arg(since.toLocalTime().toString(QStringLiteral("HH:mm:ss"))), Tone::Caution};
}

} // namespace

void DeviceTableModel::setPalette(const QPalette &palette)
{
    m_palette = palette;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
}

void DeviceTableModel::setProcesses(const LaunchPlan &plan, const QList<int> &processes)
{
    beginResetModel();
    m_rows.clear();
    const bool areSeveral =
        std::any_of(plan.processes.begin(), plan.processes.end(),
                    [&](const auto &process) { return process.node != plan.processes.front().node; });
    for (const int process : processes) {
        const ProcessPlan &its = plan.processes.at(static_cast<std::size_t>(process));
        Row row{process, std::vector<DeviceValue>(static_cast<std::size_t>(columnCount()))};
        // A scheduler stands behind all ranks.
        row.cells[RankColumn] =
            its.role == Role::Worker
                ? DeviceValue{its.rank.value, QString::number(its.rank.value)}
                : DeviceValue{static_cast<double>(plan.processes.size()), tr("scheduler")};
        if (areSeveral)
            row.cells[NodeColumn] = {its.node, its.node};
        m_rows.push_back(row);
    }
    endResetModel();
}

void DeviceTableModel::setSamples(const RunSamples &samples, const SampleAges &ages, const QDateTime &now)
{
    const QList<DeviceColumn> &columns = deviceColumns();
    for (int row = 0; row < rowCount(); ++row) {
        const Row &its = m_rows[static_cast<std::size_t>(row)];
        std::vector<DeviceValue> cells(its.cells.size());
        std::copy_n(its.cells.begin(), SinceColumn, cells.begin());
        if (const RunSamples::Sample *const sample = samples.of(its.process)) {
            const QDateTime deviceOldSince = ages.deviceOldSince(its.process, now);
            const QDateTime loadOldSince = ages.loadOldSince(its.process, now);
            cells[SinceColumn] = lastKnown(*sample, deviceOldSince, loadOldSince);
            const RunSamples::Sample fresh = withoutOld(*sample, deviceOldSince, loadOldSince);
            for (qsizetype column = 0; column < columns.size(); ++column)
                cells[static_cast<std::size_t>(FirstDeviceColumn + column)] = columns.at(column).of(fresh);
        }
        setCells(row, cells);
    }
}

void DeviceTableModel::setCells(int row, const std::vector<DeviceValue> &cells)
{
    std::vector<DeviceValue> &before = m_rows[static_cast<std::size_t>(row)].cells;
    const auto differs = [&](int column) {
        return !(before[static_cast<std::size_t>(column)] == cells[static_cast<std::size_t>(column)]);
    };
    QList<int> changed;
    for (int column = 0; column < columnCount(); ++column) {
        if (differs(column))
            changed << column;
    }
    before = cells;
    for (const int column : std::as_const(changed))
        Q_EMIT dataChanged(index(row, column), index(row, column));
}

bool DeviceTableModel::hasValues(int column) const
{
    return std::any_of(m_rows.begin(), m_rows.end(), [column](const Row &row) {
        return !row.cells[static_cast<std::size_t>(column)].text.isEmpty();
    });
}

int DeviceTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DeviceTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : FirstDeviceColumn + static_cast<int>(deviceColumns().size());
}

QVariant DeviceTableModel::data(const QModelIndex &index, int role) const
{
    const DeviceValue &cell =
        m_rows.at(static_cast<std::size_t>(index.row())).cells.at(static_cast<std::size_t>(index.column()));
    switch (role) {
    case Qt::DisplayRole:
        return cell.text;
    case SortRole:
        return cell.value;
    case Qt::TextAlignmentRole:
        return QVariant((isNumber(cell.text) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        return cell.tone == Tone::Idle ? QVariant() : toneColor(cell.tone, m_palette);
    case Qt::ToolTipRole:
    case Qt::AccessibleDescriptionRole:
        return cell.why;
    case Qt::AccessibleTextRole:
        // A number alone does not say of what it is.
        return cell.text.isEmpty()
                   ? QString()
                   : QStringLiteral("%1 %2").arg(
                         headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(), cell.text);
    default:
        return {};
    }
}

QVariant DeviceTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    const bool isTitle = role == Qt::DisplayRole;
    switch (section) {
    case RankColumn:
        return isTitle ? tr("Rank") : QString();
    case NodeColumn:
        return isTitle ? tr("Node") : QString();
    case SinceColumn:
        return isTitle ? tr("Last known")
                       : tr("Since when its NPU has not been read, or nothing has been heard of its node.");
    default:
        break;
    }
    const DeviceColumn &column = deviceColumns().at(section - FirstDeviceColumn);
    return isTitle ? column.title : column.meaning;
}

} // namespace rankdeck

#include "devicedetails/devicetablemodel.h"

#include "base/listcomma.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

using Sample = RunSamples::Sample;

constexpr double mbPerGb = 1024;
constexpr double bytesPerMb = 1024 * 1024;

/// @param value a whole number, or an id.
template <typename T>
static DeviceValue number(const std::optional<T> &value)
{
    if (!value)
        return {};
    if constexpr (std::is_integral_v<T>)
        return {double(*value), QString::number(*value)};
    else
        return number(std::optional(value->value));
}

static DeviceValue decimal(const std::optional<double> &value, double unit = 1, int decimals = 1)
{
    return value ? DeviceValue{*value, QString::number(*value / unit, 'f', decimals)} : DeviceValue();
}

static DeviceValue gigabytes(const std::optional<qint64> &mb)
{
    return decimal(mb ? std::optional<double>(double(*mb)) : std::nullopt, mbPerGb);
}

/// Returns a column of a value of the NPU. `Value` is a lambda without captures, so that it can be made
/// again.
template <typename Value>
static DeviceColumn ofDevice(const QString &title, const QString &meaning, Value)
{
    return {title, meaning, [](const Sample &sample) {
                return sample.device ? Value()(*sample.device) : DeviceValue();
            }};
}

/// Returns a column of a value of the process tree.
template <typename Value>
static DeviceColumn ofLoad(const QString &title, const QString &meaning, Value)
{
    return {title, meaning, [](const Sample &sample) {
                return sample.load ? Value()(*sample.load) : DeviceValue();
            }};
}

static DeviceValue health(const DeviceSample &device)
{
    if (device.healthWord.isEmpty() && !device.health)
        return {};
    const DeviceHealth health = device.health.value_or(DeviceHealth::Unknown);
    return {int(health), device.healthWord.isEmpty() ? healthWord(health) : device.healthWord,
            toneOf(health)};
}

static DeviceValue throttled(const DeviceSample &device)
{
    if (!device.clockMhz || !device.ratedClockMhz)
        return {};
    return device.isThrottled() ? DeviceValue{1, tr("⚠ throttled"), Tone::Caution} : DeviceValue{0, tr("no")};
}

static DeviceValue errorCodes(const DeviceSample &device)
{
    if (!device.errorCodes)
        return {};
    QStringList codes;
    for (const quint32 code : *device.errorCodes)
        codes << u"0x"_s + u"%1"_s.arg(code, 8, 16, '0'_L1).toUpper();
    return {codes.size(), codes.isEmpty() ? tr("none") : codes.join(' '_L1),
            codes.isEmpty() ? Tone::Idle : Tone::Caution};
}

/// Even one uncorrected error is bad.
static DeviceValue unmended(const std::optional<qint64> &errors)
{
    DeviceValue value = number(errors);
    value.tone = errors.value_or(0) > 0 ? Tone::Bad : Tone::Idle;
    return value;
}

static DeviceValue foreign(const Sample &sample)
{
    const std::optional<qsizetype> count = sample.foreignCount();
    if (!count)
        return sample.untoldUsers() ? DeviceValue{{}, tr("unknown"), Tone::Idle, whyUsersAreUntold()}
                                    : DeviceValue();
    if (count == 0)
        return {0, tr("none")};
    QStringList users;
    for (const DeviceUser &user : sample.foreign) {
        QStringList words{user.process.name, QString::number(user.process.pid), user.user};
        words.removeAll(QString());
        users << words.join(' '_L1);
    }
    return {sample.foreign.size(), u"⚠ %1: %2"_s.arg(users.size()).arg(users.join(listComma())),
            Tone::Caution};
}

static QList<DeviceColumn> makeColumns()
{
    return {
        ofDevice(tr("Device"), tr("Logical id of the NPU: the number that programs use."),
                 [](const auto &device) { return number(device.ids.logical); }),
        ofDevice(tr("Health"), tr("Health of the NPU as the driver reports it."),
                 [](const auto &device) { return health(device); }),
        ofDevice(tr("AICore %"), tr("Load of the AI cores."),
                 [](const auto &device) { return number(device.rates.aiCore); }),
        ofDevice(tr("NPU %"), tr("Load of the NPU as a whole."),
                 [](const auto &device) { return number(device.rates.npu); }),
        ofDevice(tr("AI vector %"), tr("Load of the vector cores."),
                 [](const auto &device) { return number(device.rates.aiVector); }),
        ofDevice(tr("AI CPU %"), tr("Load of the NPU's own processors."),
                 [](const auto &device) { return number(device.rates.aiCpu); }),
        ofDevice(tr("HBM GB"), tr("Used memory of the NPU; 1 GB is 1,024 MB."),
                 [](const auto &device) { return gigabytes(device.hbm.used); }),
        ofDevice(tr("of GB"), tr("Total HBM of the NPU."),
                 [](const auto &device) { return gigabytes(device.hbm.total); }),
        ofDevice(tr("HBM %"), tr("Used share of the HBM."),
                 [](const auto &device) { return decimal(device.hbm.percent()); }),
        ofDevice(tr("DDR GB"), tr("Used DDR memory of the NPU."),
                 [](const auto &device) { return gigabytes(device.ddr.used); }),
        ofDevice(tr("of GB DDR"), tr("Total DDR memory of the NPU."),
                 [](const auto &device) { return gigabytes(device.ddr.total); }),
        ofDevice(tr("°C"), tr("Temperature of the NPU."),
                 [](const auto &device) { return number(device.temperatureC); }),
        ofDevice(tr("HBM °C"), tr("Temperature of the HBM."),
                 [](const auto &device) { return number(device.hbmTemperatureC); }),
        ofDevice(tr("W"),
                 tr("Power of the NPU. On a card with two chips, the first reports the whole card's."),
                 [](const auto &device) { return decimal(device.powerW); }),
        ofDevice(tr("MHz"), tr("Clock of the AI cores; available for the selected NPU only."),
                 [](const auto &device) { return number(device.clockMhz); }),
        ofDevice(tr("of MHz"), tr("Rated clock of the AI cores."),
                 [](const auto &device) { return number(device.ratedClockMhz); }),
        ofDevice(tr("Throttled"),
                 tr("Whether the AI cores run below their rated clock: hot, capped or idle."),
                 [](const auto &device) { return throttled(device); }),
        ofDevice(tr("Error codes"), tr("Error codes that the NPU reports, even if its health is OK."),
                 [](const auto &device) { return errorCodes(device); }),
        ofDevice(tr("HBM corrected"),
                 tr("Corrected bit errors (ECC) of the HBM since the driver was loaded."),
                 [](const auto &device) { return number(device.bitErrors.hbmSingle); }),
        ofDevice(tr("HBM uncorrected"), tr("Uncorrected bit errors of the HBM since the driver was loaded."),
                 [](const auto &device) { return unmended(device.bitErrors.hbmDouble); }),
        ofDevice(tr("DDR corrected"),
                 tr("Corrected bit errors (ECC) of the DDR since the driver was loaded."),
                 [](const auto &device) { return number(device.bitErrors.ddrSingle); }),
        ofDevice(tr("DDR uncorrected"), tr("Uncorrected bit errors of the DDR since the driver was loaded."),
                 [](const auto &device) { return unmended(device.bitErrors.ddrDouble); }),
        {tr("Others"), tr("Processes on this NPU from outside this run."), foreign},
        ofLoad(tr("CPU %"),
               tr("CPU use of the rank and the processes that it started, in percent of one core."),
               [](const auto &load) { return decimal(load.cpuPercent); }),
        ofLoad(tr("Memory GB"),
               tr("Resident memory of the rank's processes; shared pages count in each of them."),
               [](const auto &load) { return decimal(double(load.residentBytes), bytesPerMb * mbPerGb, 2); }),
        ofLoad(tr("Processes"), tr("Number of the rank's processes."),
               [](const auto &load) { return number(std::optional(load.processes)); }),
        ofLoad(tr("Read MB/s"), tr("What the rank's processes read from disks and network file systems."),
               [](const auto &load) { return decimal(load.readBytesPerSecond, bytesPerMb); }),
        ofLoad(tr("Written MB/s"), tr("What the rank's processes write to disks and network file systems."),
               [](const auto &load) { return decimal(load.writtenBytesPerSecond, bytesPerMb); }),
        ofDevice(tr("Physical"), tr("Number of the NPU on its host, as in /dev/davinciN."),
                 [](const auto &device) { return number(device.ids.physical); }),
        ofDevice(tr("Card"), tr("Card of the NPU; npu-smi calls it NPU ID."),
                 [](const auto &device) { return number(device.ids.card); }),
        ofDevice(tr("Chip"), tr("Number of the chip on its card."),
                 [](const auto &device) { return number(device.ids.chip); }),
        ofDevice(tr("Bus"), tr("Address of the card on the PCIe bus."),
                 [](const auto &device) {
                     return device.ids.bus ? DeviceValue{device.ids.bus->text, device.ids.bus->text}
                                           : DeviceValue();
                 }),
        ofDevice(tr("Name"), tr("Model of the NPU."),
                 [](const auto &device) {
                     const QString name = shownName(device.name);
                     return name.isEmpty() ? DeviceValue() : DeviceValue{name, name};
                 }),
    };
}

static bool isNumber(const QString &text)
{
    bool isNumber = false;
    text.toDouble(&isNumber);
    return isNumber;
}

/// Returns which part of a sample is old, and since when.
static DeviceValue lastKnown(const RunSamples::Sample &sample, const QDateTime &deviceOldSince,
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
                                                   : DeviceTableModel::tr("no output since %1");
    return {since, text.arg(since.toLocalTime().toString(u"HH:mm:ss"_s)), Tone::Caution};
}

QString whyUsersAreUntold()
{
    return tr("npu-smi shows the host's pids, which mean nothing in a container.");
}

/// Returns all columns in their order: first what changes, then the names of an NPU.
static const QList<DeviceColumn> &deviceColumns()
{
    static const QList<DeviceColumn> columns = makeColumns();
    return columns;
}

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
    const bool areSeveral = std::ranges::any_of(
        plan.processes, [&](const auto &process) { return process.node != plan.processes.front().node; });
    for (const int process : processes) {
        const ProcessPlan &its = plan.processes.at(std::size_t(process));
        Row row{process, std::vector<DeviceValue>(std::size_t(columnCount()))};
        // A scheduler comes after all ranks.
        row.cells[RankColumn] = its.role == Role::Worker
                                    ? DeviceValue{its.rank.value, QString::number(its.rank.value)}
                                    : DeviceValue{double(plan.processes.size()), tr("scheduler")};
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
        const Row &its = m_rows[std::size_t(row)];
        std::vector<DeviceValue> cells(its.cells.size());
        std::copy_n(its.cells.begin(), SinceColumn, cells.begin());
        if (const RunSamples::Sample *const sample = samples.of(its.process)) {
            const QDateTime deviceOldSince = ages.deviceOldSince(its.process, now);
            const QDateTime loadOldSince = ages.loadOldSince(its.process, now);
            cells[SinceColumn] = lastKnown(*sample, deviceOldSince, loadOldSince);
            const RunSamples::Sample fresh = withoutOld(*sample, deviceOldSince, loadOldSince);
            for (qsizetype column = 0; column < columns.size(); ++column)
                cells[std::size_t(FirstDeviceColumn + column)] = columns.at(column).of(fresh);
        }
        setCells(row, cells);
    }
}

void DeviceTableModel::setCells(int row, const std::vector<DeviceValue> &cells)
{
    const std::vector<DeviceValue> before = std::exchange(m_rows[std::size_t(row)].cells, cells);
    for (int column = 0; column < columnCount(); ++column) {
        if (before[std::size_t(column)] != cells[std::size_t(column)])
            Q_EMIT dataChanged(index(row, column), index(row, column));
    }
}

bool DeviceTableModel::hasValues(int column) const
{
    return std::ranges::any_of(
        m_rows, [column](const Row &row) { return !row.cells[std::size_t(column)].text.isEmpty(); });
}

int DeviceTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : FirstDeviceColumn + int(deviceColumns().size());
}

QVariant DeviceTableModel::data(const QModelIndex &index, int role) const
{
    const DeviceValue &cell = m_rows.at(std::size_t(index.row())).cells.at(std::size_t(index.column()));
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
        // A number alone does not name its column.
        return cell.text.isEmpty()
                   ? QString()
                   : u"%1 %2"_s.arg(headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString(),
                                    cell.text);
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
                       : tr("Time of the last sample, if the rank's NPU or node no longer answers.");
    default:
        break;
    }
    const DeviceColumn &column = deviceColumns().at(section - FirstDeviceColumn);
    return isTitle ? column.title : column.meaning;
}

void DeviceTableFilter::setWords(const QString &words)
{
    m_words = words.split(' '_L1, Qt::SkipEmptyParts);
    invalidate();
}

bool DeviceTableFilter::lessThan(const QModelIndex &one, const QModelIndex &other) const
{
    const QVariant first = one.data(sortRole());
    const QVariant second = other.data(sortRole());
    if (!first.isValid() || !second.isValid())
        return first.isValid() == second.isValid() ? false
                                                   : first.isValid() == (sortOrder() == Qt::AscendingOrder);
    if (first.typeId() == QMetaType::QString)
        return QString::localeAwareCompare(first.toString(), second.toString()) < 0;
    if (first.typeId() == QMetaType::QDateTime)
        return first.toDateTime() < second.toDateTime();
    return first.toDouble() < second.toDouble();
}

bool DeviceTableFilter::filterAcceptsRow(int row, const QModelIndex &parent) const
{
    if (m_words.isEmpty())
        return true;
    QStringList texts;
    for (int column = 0; column < sourceModel()->columnCount(parent); ++column)
        texts << sourceModel()->index(row, column, parent).data().toString();
    const QString all = texts.join('\n'_L1);
    return std::ranges::all_of(
        m_words, [&all](const QString &word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace rankdeck

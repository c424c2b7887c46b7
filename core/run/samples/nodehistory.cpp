#include "run/samples/nodehistory.h"

#include "base/regularfile.h"
#include "launch/plan/launchplan.h"
#include "run/samples/loadhistory.h"

#include <bit>
#include <numeric>

#include <sys/stat.h>

namespace rankdeck
{

constexpr qsizetype longestLine = 4 * 1024 * 1024; ///< A longer line is not a line of a history.

constexpr double mbPerGb = 1024;
/// The end of the year 9999. A later time is not a time of a run: the file may be of another program.
constexpr qint64 latest = 253'402'300'799'999;

QStringList sampledNodes(const LaunchPlan &plan)
{
    QStringList nodes = listOf(plan.processes, &ProcessPlan::node);
    nodes.removeDuplicates();
    return nodes;
}

QString samplesFolder(const QString &runDirectory)
{
    return runDirectory + u"/samples"_s;
}

QString deviceHistoryPath(const QString &runDirectory, qsizetype node)
{
    return samplesFolder(runDirectory) + u"/devices-%1"_s.arg(node);
}

QString loadHistoryPath(const QString &runDirectory, qsizetype node)
{
    return samplesFolder(runDirectory) + u"/processes-%1"_s.arg(node);
}

void HistoryTail::begin(quint64 file)
{
    m_file = file;
    m_offset = 0;
    m_rest.clear();
    m_heading.clear();
    m_subjects.clear();
    m_last.clear();
}

std::optional<HistoryTail::Piece> HistoryTail::readOn()
{
    RegularFile file(m_path);
    struct stat status = {};
    if (!file.open(QIODevice::ReadOnly) || fstat(file.handle(), &status) != 0)
        return std::nullopt;
    const bool isOther = m_file != status.st_ino || status.st_size < m_offset;
    if (isOther)
        begin(status.st_ino);
    if (!file.seek(m_offset))
        return std::nullopt;
    const QByteArray more = file.read(pieceBytes);
    if (more.isEmpty() && !isOther)
        return std::nullopt;
    m_offset += more.size();
    m_rest += more;
    const qsizetype end = m_rest.lastIndexOf('\n') + 1;
    Piece piece{m_heading + m_subjects + m_last + m_rest.left(end), isOther, !m_last.isEmpty()};
    keepLast(m_rest.left(end));
    m_rest.remove(0, m_rest.size() > longestLine ? m_rest.size() : end);
    return piece;
}

void HistoryTail::keepLast(const QByteArray &lines)
{
    for (qsizetype begin = 0; begin < lines.size();) {
        const qsizetype end = lines.indexOf('\n', begin) + 1;
        const QByteArray line = lines.mid(begin, end - begin);
        begin = end;
        if (line.startsWith("S ")) {
            m_last = withoutRepeats(line);
        } else if (line.startsWith('#')) {
            m_heading = line;
        } else if (line.size() > 2 && line[0] >= 'A' && line[0] <= 'Z' && line[1] == ' ') {
            m_subjects = line;
            m_last.clear();
        } else {
            m_last.clear(); // readHistory() drops moments here as well.
        }
    }
}

/// Replaces each "=" by the value of the moment before.
QByteArray HistoryTail::withoutRepeats(const QByteArray &moment) const
{
    QList<QByteArray> words = moment.chopped(1).split(' ');
    const QList<QByteArray> before = m_last.chopped(m_last.isEmpty() ? 0 : 1).split(' ');
    for (qsizetype word = 0; word < words.size() && word < before.size(); ++word) {
        if (words[word] == "=")
            words[word] = before[word];
    }
    return words.join(' ') + '\n';
}

std::optional<qsizetype> chipOf(int process, const ProcessPlan &plan, const DeviceHistory &history,
                                qsizetype chips)
{
    const QMap<int, qsizetype> &recorded = history.chipsOfProcesses.at(chips);
    if (!recorded.isEmpty())
        return recorded.contains(process) ? std::optional(recorded.value(process)) : std::nullopt;
    if (plan.role != Role::Worker || plan.device == ProcessPlan::noDevice)
        return std::nullopt;
    const QList<DeviceSample> &all = history.chips.at(chips);
    for (qsizetype chip = 0; chip < all.size(); ++chip) {
        const auto &logical = all.at(chip).ids.logical;
        if (logical ? logical->value == plan.device.value : chip == plan.device.value)
            return chip;
    }
    return std::nullopt;
}

QString quantityTitle(SampleQuantity quantity)
{
    static constexpr std::array titles{
        QT_TRANSLATE_NOOP("rankdeck", "AICore (%)"),       QT_TRANSLATE_NOOP("rankdeck", "NPU (%)"),
        QT_TRANSLATE_NOOP("rankdeck", "HBM (GB)"),         QT_TRANSLATE_NOOP("rankdeck", "DDR (GB)"),
        QT_TRANSLATE_NOOP("rankdeck", "temperature (°C)"), QT_TRANSLATE_NOOP("rankdeck", "power (W)"),
        QT_TRANSLATE_NOOP("rankdeck", "clock (MHz)"),      QT_TRANSLATE_NOOP("rankdeck", "CPU (% of a core)"),
        QT_TRANSLATE_NOOP("rankdeck", "memory (GB)"),      QT_TRANSLATE_NOOP("rankdeck", "read (MB/s)"),
        QT_TRANSLATE_NOOP("rankdeck", "written (MB/s)")};
    static_assert(titles.size() == sampleQuantities);
    return tr(titles.at(static_cast<std::size_t>(quantity)));
}

QString SampleCurves::title(SampleQuantity quantity) const
{
    const QString title = quantityTitle(quantity);
    return areInvented && isOfDevice(quantity) ? tr("%1, invented", "a quantity of a demo's NPUs").arg(title)
                                               : title;
}

SampleCurves SampleCurves::until(qint64 ms) const
{
    SampleCurves early = *this;
    for (Curve &curve : early.curves) {
        for (ValueSeries &values : curve.values)
            values = values.until(ms);
    }
    return early;
}

NodeHistory::NodeHistory(const QString &runDirectory, int node, const LaunchPlan &plan,
                         const QList<int> &processes)
    : m_devices(deviceHistoryPath(runDirectory, node))
    , m_loads(loadHistoryPath(runDirectory, node))
{
    for (const int process : processes)
        m_processes.insert(process, plan.processes.at(static_cast<std::size_t>(process)));
}

std::optional<NodeHistory::Piece> NodeHistory::readOn()
{
    if (const auto piece = m_devices.readOn())
        return Piece{deviceValues(*piece), true, piece->isAnew};
    if (const auto piece = m_loads.readOn())
        return Piece{loadValues(*piece), false, piece->isAnew};
    return std::nullopt;
}

QList<NodeHistory::Value> NodeHistory::deviceValues(const HistoryTail::Piece &piece)
{
    QList<Value> values;
    const auto history = DeviceHistory::from(piece.text);
    if (!history)
        return values;
    for (const QList<DeviceSample> &chips : history->chips)
        m_areInvented = m_areInvented || std::ranges::any_of(chips, &DeviceSample::isInvented);
    for (qsizetype at = piece.repeatsFirst ? 1 : 0; at < history->moments.size(); ++at) {
        const DeviceMoment &moment = history->moments.at(at);
        const qint64 time = moment.time.toMSecsSinceEpoch();
        if (time < 0 || time > latest)
            continue;
        count(time, m_lastOfDevices);
        for (auto process = m_processes.cbegin(); process != m_processes.cend(); ++process) {
            const auto chip = chipOf(process.key(), *process, *history, moment.chips);
            if (!chip)
                continue;
            const auto tell = [&](SampleQuantity quantity, const auto &value, double unit = 1) {
                if (value)
                    values.append({process.key(), time, quantity, double(*value) / unit});
            };
            const DevicePoint &point = moment.points.at(*chip);
            tell(SampleQuantity::AiCore, point.aiCorePercent);
            if (!point.aiCorePercent)
                tell(SampleQuantity::Npu, point.npuPercent);
            tell(SampleQuantity::Hbm, point.hbmUsedMb, mbPerGb);
            if (!point.hbmUsedMb)
                tell(SampleQuantity::Ddr, point.ddrUsedMb, mbPerGb);
            tell(SampleQuantity::Temperature, point.temperatureC);
            tell(SampleQuantity::Power, point.powerW);
            tell(SampleQuantity::Clock, point.clockMhz);
        }
    }
    return values;
}

QList<NodeHistory::Value> NodeHistory::loadValues(const HistoryTail::Piece &piece)
{
    QList<Value> values;
    const auto history = LoadHistory::from(piece.text);
    if (!history)
        return values;
    for (qsizetype at = piece.repeatsFirst ? 1 : 0; at < history->moments.size(); ++at) {
        const LoadMoment &moment = history->moments.at(at);
        const qint64 time = moment.time.toMSecsSinceEpoch();
        if (time < 0 || time > latest)
            continue;
        count(time, m_lastOfLoads);
        const QList<int> &processes = history->processes.at(moment.processes);
        for (qsizetype index = 0; index < processes.size(); ++index) {
            if (!m_processes.contains(processes.at(index)))
                continue;
            const auto tell = [&](SampleQuantity quantity, const auto &value, double unit = 1) {
                if (value)
                    values.append({processes.at(index), time, quantity, double(*value) / unit});
            };
            const LoadPoint &point = moment.points.at(index);
            tell(SampleQuantity::Cpu, point.cpuPercent);
            tell(SampleQuantity::Resident, point.residentMb, mbPerGb);
            tell(SampleQuantity::Read, point.readMbPerSecond);
            tell(SampleQuantity::Written, point.writtenMbPerSecond);
        }
    }
    return values;
}

void NodeHistory::count(qint64 time, qint64 &last)
{
    if (last >= 0 && time > last)
        ++m_distances.at(static_cast<std::size_t>(std::bit_width(quint64(time - last)) - 1));
    last = time;
}

qint64 NodeHistory::usualDistance() const
{
    const int all = std::accumulate(m_distances.begin(), m_distances.end(), 0);
    for (std::size_t power = 0, below = 0; power < m_distances.size() && all > 0; ++power) {
        below += static_cast<std::size_t>(m_distances.at(power));
        if (2 * below >= static_cast<std::size_t>(all))
            return qint64(1) << (power + 1);
    }
    return 0;
}

/// A pause that is longer than this many usual distances, and than leastGapMs, is a gap.
constexpr qint64 gapFactor = 4;
constexpr qint64 leastGapMs = 15'000;

NodeHistories nodeHistories(const QString &runDirectory, const LaunchPlan &plan, const QList<int> &processes)
{
    const QStringList nodes = sampledNodes(plan);
    QMap<int, QList<int>> byNode;
    for (const int process : processes)
        byNode[static_cast<int>(nodes.indexOf(plan.processes.at(std::size_t(process)).node))] << process;
    NodeHistories histories;
    for (auto node = byNode.cbegin(); node != byNode.cend(); ++node)
        histories.push_back(std::make_unique<NodeHistory>(runDirectory, node.key(), plan, *node));
    return histories;
}

SampleCurveReader::SampleCurveReader(const QString &runDirectory, const LaunchPlan &plan,
                                     const QList<int> &processes)
    : m_processes(processes)
    , m_histories(nodeHistories(runDirectory, plan, processes))
{
}

bool SampleCurveReader::readOn()
{
    bool isMore = false;
    for (const auto &history : m_histories) {
        if (const auto piece = history->readOn()) {
            take(*history, *piece);
            isMore = true;
        }
    }
    return isMore;
}

void SampleCurveReader::take(const NodeHistory &history, const NodeHistory::Piece &piece)
{
    for (const int process : history.processes()) {
        auto &values = m_curves[process].values;
        for (std::size_t quantity = 0; piece.isAnew && quantity < values.size(); ++quantity) {
            if (isOfDevice(SampleQuantity(quantity)) == piece.isOfDevices)
                values[quantity] = ValueSeries();
        }
    }
    for (const NodeHistory::Value &value : piece.values)
        m_curves[value.process].values[std::size_t(value.quantity)].add(value.time, value.value);
}

SampleCurves SampleCurveReader::curves() const
{
    SampleCurves curves;
    for (const auto &history : m_histories) {
        curves.gap = std::max(curves.gap, gapFactor * history->usualDistance());
        curves.areInvented = curves.areInvented || history->areInvented();
    }
    curves.gap = std::max(curves.gap, leastGapMs);
    for (const int process : m_processes) {
        curves.curves << m_curves.value(process);
        curves.curves.last().process = process;
    }
    return curves;
}

} // namespace rankdeck

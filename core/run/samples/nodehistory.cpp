#include "run/samples/nodehistory.h"

#include <algorithm>
#include <bit>

namespace rankdeck
{

namespace
{

constexpr double mbPerGb = 1024;
/// What is beyond is no time of a run; a file may be somebody else's. The year 9999.
constexpr qint64 latest = 253'402'300'799'999;

} // namespace

QString deviceHistoryFile(const QString &runDirectory, int node)
{
    return QStringLiteral("%1/samples/devices-%2").arg(runDirectory).arg(node);
}

QStringList sampledNodes(const LaunchPlan &plan)
{
    QStringList nodes;
    for (const ProcessPlan &process : plan.processes) {
        if (!nodes.contains(process.node))
            nodes << process.node;
    }
    return nodes;
}

std::optional<qsizetype> chipOf(const ProcessPlan &process, const QList<DeviceSample> &chips)
{
    if (process.role != Role::Worker || process.device.value < 0)
        return std::nullopt;
    for (qsizetype chip = 0; chip < chips.size(); ++chip) {
        const auto &logical = chips.at(chip).ids.logical;
        if (logical ? logical->value == process.device.value : chip == process.device.value)
            return chip;
    }
    return std::nullopt;
}

NodeHistory::NodeHistory(const QString &runDirectory, int node, const LaunchPlan &plan,
                         const QList<int> &processes)
    : m_devices(deviceHistoryFile(runDirectory, node))
{
    for (const int process : processes)
        m_processes.insert(process, plan.processes.at(static_cast<std::size_t>(process)));
}

std::optional<NodeHistory::Piece> NodeHistory::readOn()
{
    if (const auto piece = m_devices.readOn())
        return Piece{deviceValues(*piece), true, piece->isAnew};
    return std::nullopt;
}

QList<NodeHistory::Value> NodeHistory::deviceValues(const HistoryTail::Piece &piece)
{
    QList<Value> values;
    const auto history = DeviceHistory::from(piece.text);
    if (!history)
        return values;
    for (qsizetype at = piece.repeatsFirst ? 1 : 0; at < history->moments.size(); ++at) {
        const DeviceMoment &moment = history->moments.at(at);
        const qint64 time = moment.time.toMSecsSinceEpoch();
        if (time < 0 || time > latest)
            continue;
        count(time);
        for (auto process = m_processes.cbegin(); process != m_processes.cend(); ++process) {
            const auto chip = chipOf(*process, history->chips.at(moment.chips));
            if (!chip)
                continue;
            const auto tell = [&](SampleQuantity quantity, const auto &value, double unit = 1) {
                if (value)
                    values.append({process.key(), time, quantity, double(*value) / unit});
            };
            const DevicePoint &point = moment.points.at(*chip);
            tell(SampleQuantity::AiCore, point.aiCorePercent ? point.aiCorePercent : point.npuPercent);
            tell(SampleQuantity::Memory, point.hbmUsedMb ? point.hbmUsedMb : point.ddrUsedMb, mbPerGb);
            tell(SampleQuantity::Temperature, point.temperatureC);
            tell(SampleQuantity::Power, point.powerW);
            tell(SampleQuantity::Clock, point.clockMhz);
        }
    }
    return values;
}

void NodeHistory::count(qint64 time)
{
    if (m_lastTime >= 0 && time > m_lastTime)
        ++m_distances.at(static_cast<std::size_t>(std::bit_width(quint64(time - m_lastTime)) - 1));
    m_lastTime = time;
}

qint64 NodeHistory::usualDistance() const
{
    int all = 0;
    for (const int distances : m_distances)
        all += distances;
    for (std::size_t power = 0, below = 0; power < m_distances.size() && all > 0; ++power) {
        below += static_cast<std::size_t>(m_distances.at(power));
        if (2 * below >= static_cast<std::size_t>(all))
            return qint64(1) << (power + 1);
    }
    return 0;
}

} // namespace rankdeck

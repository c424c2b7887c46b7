#include "run/replay/replaysamples.h"

#include "base/times.h"
#include "launch/plan/launchplan.h"
#include "run/samples/loadhistory.h"

#include <utility>

namespace rankdeck
{

constexpr qint64 bytesPerMiB = 1024 * 1024;

/// Returns the time of a line "S MS …"; nothing for another line.
static std::optional<qint64> momentOf(QByteArrayView line)
{
    if (!line.startsWith("S "))
        return std::nullopt;
    const QByteArrayView rest = line.sliced(2);
    const qsizetype end = rest.indexOf(' ');
    bool isNumber = false;
    const qint64 ms = rest.first(end < 0 ? rest.size() : end).toLongLong(&isNumber);
    return isNumber ? std::optional(ms) : std::nullopt;
}

static TreeLoad loadOf(const LoadPoint &point)
{
    const auto bytes = [](std::optional<double> mb) {
        return mb ? std::optional(*mb * double(bytesPerMiB)) : std::nullopt;
    };
    TreeLoad load;
    load.processes = point.processes.value_or(0);
    load.residentBytes = point.residentMb.value_or(0) * bytesPerMiB;
    load.cpuPercent = point.cpuPercent;
    load.readBytesPerSecond = bytes(point.readMbPerSecond);
    load.writtenBytesPerSecond = bytes(point.writtenMbPerSecond);
    return load;
}

SampleTime::SampleTime(const QString &runDirectory, int node, const LaunchPlan &plan)
    : m_node(sampledNodes(plan).value(node))
    , m_devices(piecesOf(deviceHistoryPath(runDirectory, node)))
    , m_loads(piecesOf(loadHistoryPath(runDirectory, node)))
{
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        if (plan.processes[index].node == m_node)
            m_processes.emplace(static_cast<int>(index), plan.processes[index]);
    }
}

std::vector<SampleTime::Piece> SampleTime::piecesOf(const QString &path)
{
    std::vector<Piece> pieces;
    HistoryTail tail(path);
    while (const auto read = tail.readOn()) {
        Piece piece{std::numeric_limits<qint64>::max(), 0, read->text};
        for (qsizetype begin = 0; begin < piece.text.size();) {
            const qsizetype newline = piece.text.indexOf('\n', begin);
            const qsizetype end = newline < 0 ? piece.text.size() : newline;
            if (const auto ms = momentOf(QByteArrayView(piece.text).sliced(begin, end - begin))) {
                piece.first = std::min(piece.first, *ms);
                piece.last = std::max(piece.last, *ms);
            }
            begin = end + 1;
        }
        pieces.push_back(std::move(piece));
    }
    return pieces;
}

bool SampleTime::isInReach(const QDateTime &time, qint64 ms)
{
    const qint64 at = time.toMSecsSinceEpoch();
    return at <= ms && at >= ms - reachMs;
}

void SampleTime::addDevices(qint64 ms, RunSamples &samples, NodeSample &last) const
{
    for (const Piece &piece : m_devices) {
        if (!isInReach(piece, ms))
            continue;
        const auto history = DeviceHistory::from(piece.text);
        std::vector<std::pair<int, qsizetype>> chips; ///< Chip of each process, as an index in the set below.
        qsizetype set = -1;
        const DeviceMoment *newest = nullptr;
        for (const DeviceMoment &moment : history ? history->moments : QList<DeviceMoment>()) {
            if (!isInReach(moment.time, ms))
                continue;
            if (std::exchange(set, moment.chips) != moment.chips) {
                chips.clear();
                for (const auto &[process, plan] : m_processes) {
                    if (const auto chip = chipOf(process, plan, *history, set))
                        chips.emplace_back(process, *chip);
                }
            }
            for (const auto &[process, chip] : chips) {
                const DevicePoint &point = moment.points.at(chip);
                if (const auto busy = point.aiCorePercent ? point.aiCorePercent : point.npuPercent)
                    samples.addRecent(process, moment.time, *busy);
            }
            newest = &moment;
        }
        if (!newest)
            continue;
        DeviceReading reading;
        reading.time = newest->time;
        reading.samples = history->chips.at(set);
        for (qsizetype chip = 0; chip < reading.samples.size(); ++chip)
            newest->points.at(chip).addTo(reading.samples[chip]);
        if (!reading.samples.isEmpty() && reading.samples.first().isInvented)
            reading.source = DeviceSource::Kind::Invented;
        last.time = reading.time;
        last.devices = std::move(reading);
        last.chips.clear();
        for (const auto &[process, chip] : chips)
            last.chips.insert(process, static_cast<int>(chip));
    }
}

void SampleTime::addLoads(qint64 ms, RunSamples &samples, NodeSample &last) const
{
    for (const Piece &piece : m_loads) {
        if (!isInReach(piece, ms))
            continue;
        const auto history = LoadHistory::from(piece.text);
        const LoadMoment *newest = nullptr;
        for (const LoadMoment &moment : history ? history->moments : QList<LoadMoment>()) {
            if (!isInReach(moment.time, ms))
                continue;
            newest = &moment;
            const QList<int> &processes = history->processes.at(moment.processes);
            for (qsizetype at = 0; at < processes.size(); ++at) {
                const auto &cpu = moment.points.at(at).cpuPercent;
                // With an NPU, how busy a process was is how busy that was.
                if (cpu && m_processes.contains(processes.at(at)) && !last.chips.contains(processes.at(at)))
                    samples.addRecent(processes.at(at), moment.time, *cpu);
            }
        }
        if (!newest)
            continue;
        const QList<int> &processes = history->processes.at(newest->processes);
        last.time = last.time.isValid() ? std::max(last.time, newest->time) : newest->time;
        last.loads.clear();
        for (qsizetype at = 0; at < processes.size(); ++at) {
            if (m_processes.contains(processes.at(at)))
                last.loads.insert(processes.at(at), loadOf(newest->points.at(at)));
        }
    }
}

void SampleTime::addUntil(qint64 ms, RunSamples &samples) const
{
    NodeSample last;
    last.node = m_node;
    addDevices(ms, samples, last);
    addLoads(ms, samples, last);
    if (last.time.isValid())
        samples.take(last);
}

} // namespace rankdeck

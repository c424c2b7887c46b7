#include "run/samples/samplehistoryfollower.h"

#include <QSet>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

/// A pause that is longer than this many usual distances, and than leastGapMs, is a gap.
constexpr qint64 gapFactor = 4;
constexpr qint64 leastGapMs = 15'000;

SampleHistoryFollower::SampleHistoryFollower(QString runDirectory, std::shared_ptr<const LaunchPlan> plan,
                                             QObject *parent)
    : QObject(parent)
    , m_directory(std::move(runDirectory))
    , m_plan(std::move(plan))
    , m_timer(this)
    , m_catchUp(this)
    , m_nextRecent(this)
{
    m_timer.setInterval(lookMs);
    m_catchUp.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &SampleHistoryFollower::look);
    connect(&m_catchUp, &QTimer::timeout, this, &SampleHistoryFollower::look);
    m_nextRecent.setSingleShot(true);
    connect(&m_nextRecent, &QTimer::timeout, this, &SampleHistoryFollower::tellRecentOfNext);
}

SampleHistoryFollower::Histories SampleHistoryFollower::histories(const QList<int> &processes) const
{
    const QStringList nodes = sampledNodes(*m_plan);
    QMap<int, QList<int>> byNode;
    for (const int process : processes)
        byNode[static_cast<int>(nodes.indexOf(m_plan->processes.at(std::size_t(process)).node))] << process;
    Histories histories;
    for (auto node = byNode.cbegin(); node != byNode.cend(); ++node)
        histories.push_back(std::make_unique<NodeHistory>(m_directory, node.key(), *m_plan, *node));
    return histories;
}

void SampleHistoryFollower::setLive(bool isLive)
{
    m_isLive = isLive;
    if (m_isLive && !m_plotted.isEmpty())
        m_timer.start();
    // Read what was written last.
    if (!m_plotted.isEmpty())
        look();
}

void SampleHistoryFollower::plot(const QList<int> &processes)
{
    m_plotted = processes;
    m_plotted.removeIf(
        [this](int process) { return process < 0 || std::size_t(process) >= m_plan->processes.size(); });
    m_histories = histories(m_plotted);
    m_curves.clear();
    m_hasSent = false;
    m_timer.stop();
    m_catchUp.stop();
    if (m_plotted.isEmpty())
        return;
    if (m_isLive)
        m_timer.start();
    look();
}

void SampleHistoryFollower::look()
{
    bool isMore = false;
    for (const auto &history : m_histories) {
        if (const auto piece = history->readOn()) {
            take(*history, *piece);
            isMore = true;
        }
    }
    if (isMore) {
        m_catchUp.start(0);
        return;
    }
    if (!m_isLive)
        m_timer.stop();
    if (std::exchange(m_hasChanged, false) || !std::exchange(m_hasSent, true))
        send();
}

void SampleHistoryFollower::take(const NodeHistory &history, const NodeHistory::Piece &piece)
{
    m_hasChanged = true;
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

void SampleHistoryFollower::send()
{
    m_hasSent = true;
    SampleCurves curves;
    for (const auto &history : m_histories)
        curves.gap = std::max(curves.gap, gapFactor * history->usualDistance());
    curves.gap = std::max(curves.gap, leastGapMs);
    for (const int process : std::as_const(m_plotted)) {
        curves.curves << m_curves.value(process);
        curves.curves.last().process = process;
    }
    Q_EMIT plotted(curves);
}

void SampleHistoryFollower::tellRecent(qint64 since)
{
    QList<int> all(static_cast<qsizetype>(m_plan->processes.size()));
    std::iota(all.begin(), all.end(), 0);
    m_since = since;
    m_recent = histories(all);
    std::ranges::reverse(m_recent);
    m_nextRecent.start(0);
}

void SampleHistoryFollower::tellRecentOfNext()
{
    if (m_recent.empty())
        return;
    const auto history = std::move(m_recent.back());
    m_recent.pop_back();
    RecentBusyness ofDevices;
    RecentBusyness ofTrees;
    QSet<int> withDevice;
    while (const auto piece = history->readOn()) {
        for (const NodeHistory::Value &value : piece->values) {
            const bool isDevice =
                value.quantity == SampleQuantity::AiCore || value.quantity == SampleQuantity::Npu;
            if (value.time < m_since || (!isDevice && value.quantity != SampleQuantity::Cpu))
                continue;
            if (isDevice)
                withDevice.insert(value.process);
            (isDevice ? ofDevices : ofTrees).moments.append({value.process, value.time, value.value});
        }
    }
    ofTrees.moments.removeIf(
        [&](const RecentBusyness::Moment &moment) { return withDevice.contains(moment.process); });
    ofDevices.moments += ofTrees.moments;
    if (!ofDevices.moments.isEmpty())
        Q_EMIT recentTold(ofDevices);
    m_nextRecent.start(0);
}

} // namespace rankdeck

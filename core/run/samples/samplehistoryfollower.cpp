#include "run/samples/samplehistoryfollower.h"

#include "launch/plan/launchplan.h"

#include <QSet>

#include <algorithm>
#include <numeric>

namespace rankdeck
{

SampleHistoryFollower::SampleHistoryFollower(QString runDirectory, std::shared_ptr<const LaunchPlan> plan)
    : m_directory(std::move(runDirectory))
    , m_plan(std::move(plan))
    , m_timer(this)
    , m_catchUp(0, this)
    , m_nextRecent(0, this)
{
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, &SampleHistoryFollower::look);
    connect(&m_catchUp, &QTimer::timeout, this, &SampleHistoryFollower::look);
    connect(&m_nextRecent, &QTimer::timeout, this, &SampleHistoryFollower::tellRecentOfNext);
}

void SampleHistoryFollower::setLive(bool isLive)
{
    m_isLive = isLive;
    if (m_isLive && !m_plotted.isEmpty())
        m_timer.start();
    // Reads the last written part.
    if (!m_plotted.isEmpty())
        look();
}

void SampleHistoryFollower::plot(const QList<int> &processes)
{
    m_plotted = processes;
    m_plotted.removeIf(
        [this](int process) { return process < 0 || std::size_t(process) >= m_plan->processes.size(); });
    m_curves = SampleCurveReader(m_directory, *m_plan, m_plotted);
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
    if (m_curves.readOn()) {
        m_hasChanged = true;
        m_catchUp.start(0);
        return;
    }
    if (!m_isLive)
        m_timer.stop();
    const bool hasChanged = std::exchange(m_hasChanged, false);
    if (!std::exchange(m_hasSent, true) || hasChanged)
        Q_EMIT plotted(m_curves.curves());
}

void SampleHistoryFollower::tellRecent(qint64 since)
{
    QList<int> all(static_cast<qsizetype>(m_plan->processes.size()));
    std::iota(all.begin(), all.end(), 0);
    m_since = since;
    m_recent = nodeHistories(m_directory, *m_plan, all);
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

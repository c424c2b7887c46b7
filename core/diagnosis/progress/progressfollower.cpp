#include "diagnosis/progress/progressfollower.h"

namespace rankdeck
{

constexpr int lookMs = 250;
/// From this many processes on polling is slower.
constexpr int manyProcesses = 256;
constexpr int seldomLookMs = 1000;

ProgressFollower::ProgressFollower(const LaunchPlan &plan, ProgressReader reader, ProgressPlaces places,
                                   int mostBuckets)
    : m_logs(plan, std::move(reader), std::move(places), mostBuckets)
    , m_timer(this)
    , m_catchUp(0, this)
    , m_publish(0, this)
{
    m_timer.setInterval(m_logs.count() < manyProcesses ? lookMs : seldomLookMs);
    m_publish.setInterval(publishMs);
    connect(&m_timer, &QTimer::timeout, this, &ProgressFollower::look);
    connect(&m_catchUp, &QTimer::timeout, this, &ProgressFollower::look);
    connect(&m_publish, &QTimer::timeout, this, &ProgressFollower::publish);
}

void ProgressFollower::start()
{
    m_isFinishing = false;
    m_timer.start();
    look();
}

void ProgressFollower::finish()
{
    m_isFinishing = true;
    look();
}

void ProgressFollower::look()
{
    const bool isMore = m_logs.readOn(!m_isFinishing);
    if (isMore) {
        m_catchUp.start(0);
    } else if (m_isFinishing) {
        m_timer.stop();
        m_logs.readRest();
    }
    if (!m_publish.isActive())
        publish();
}

void ProgressFollower::publish()
{
    const std::vector<int> changed = m_logs.takeChanged();
    if (changed.empty())
        return;
    ProgressNews news;
    bool isPlotted = false;
    for (const int process : changed) {
        news.ranks.append({process, m_logs.tracker(process).progress()});
        isPlotted = isPlotted || m_plotted.contains(process);
    }
    Q_EMIT progressed(news);
    if (isPlotted)
        sendCurves();
    m_publish.start();
}

void ProgressFollower::plot(const QList<int> &processes)
{
    m_plotted = processes;
    m_plotted.removeIf([this](int process) { return process < 0 || process >= m_logs.count(); });
    if (!m_plotted.isEmpty())
        sendCurves();
}

void ProgressFollower::sendCurves()
{
    ProgressCurves curves;
    for (const int process : std::as_const(m_plotted)) {
        const ProgressTracker &tracker = m_logs.tracker(process);
        curves.curves.append(
            {process, tracker.loss(), tracker.stepTime(), tracker.progress().steps.value_or(0)});
    }
    Q_EMIT plotted(curves);
}

} // namespace rankdeck

#include "diagnosis/progress/progresskeeper.h"

#include "launch/plan/launchplan.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include <algorithm>
#include <ctime>

namespace rankdeck
{

constexpr std::chrono::milliseconds cpuOfLook{20};
constexpr std::chrono::milliseconds cpuOfEnd{300};
/// How much longer than its cpu a look may take, on a slow disk or a busy machine.
constexpr int slowness = 10;
/// Looks until the sizes of the logs are read again.
constexpr int looksBetween = 8;
/// A log is read on when it has grown by this much.
constexpr qint64 leastGrowth = 256 * 1024;
/// Bytes of a process's logs that are read before its progress is kept again: what a later reader has to do.
constexpr qint64 keptEvery = 2 * 1024 * 1024;

static std::chrono::nanoseconds cpuOfThread()
{
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

ProgressKeeper::ProgressKeeper(std::shared_ptr<const LaunchPlan> plan, ProgressReader reader,
                               ProgressPlaces places)
    : m_plan(std::move(plan))
    , m_reader(std::move(reader))
    , m_places(std::move(places))
{
}

ProgressKeeper::~ProgressKeeper() = default;

void ProgressKeeper::look(bool hasGrown)
{
    m_hasGrown = m_hasGrown || hasGrown;
    if (m_grown.empty() && m_hasGrown && ++m_looks % looksBetween == 0)
        findGrown(false);
    readGrown(cpuOfLook);
}

void ProgressKeeper::findGrown(bool isEnd)
{
    m_hasGrown = false;
    const auto unfinished = std::exchange(m_grown, {});
    const auto isLong = [](const ProcessPlan &process) {
        return process.role == Role::Worker && (QFileInfo(process.logFile).size() >= leastGrowth ||
                                                QFileInfo(process.stderrFile).size() >= leastGrowth);
    };
    if (!m_logs && std::ranges::any_of(m_plan->processes, isLong))
        m_logs = std::make_unique<ProgressLogs>(*m_plan, m_reader, m_places);
    for (int process = 0; m_logs && process < m_logs->count(); ++process) {
        const qint64 left = m_logs->leftBytes(process);
        const bool isBegun = m_logs->unkeptBytes(process) > 0 || std::ranges::count(unfinished, process) > 0;
        if (left >= leastGrowth || (isEnd && isBegun && left > 0))
            m_grown.push_back(process);
        else
            m_hasGrown = m_hasGrown || left > 0;
    }
}

void ProgressKeeper::readGrown(std::chrono::milliseconds cpu)
{
    QElapsedTimer clock;
    clock.start();
    const auto begin = cpuOfThread();
    while (!m_grown.empty() && cpuOfThread() - begin < cpu && clock.elapsed() < slowness * cpu.count()) {
        const int process = m_grown.front();
        m_grown.pop_front();
        if (m_logs->readMarked(process) > 0)
            m_grown.push_back(process);
        if (m_logs->unkeptBytes(process) >= keptEvery)
            m_logs->keep(process);
    }
}

void ProgressKeeper::finish()
{
    findGrown(true);
    readGrown(cpuOfEnd);
    keep();
}

void ProgressKeeper::keep()
{
    for (int process = 0; m_logs && process < m_logs->count(); ++process) {
        if (m_logs->unkeptBytes(process) > 0)
            m_logs->keep(process);
    }
}

} // namespace rankdeck

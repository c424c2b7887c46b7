#include "diagnosis/selftest/selftestfollower.h"

#include "launch/plan/launchplan.h"

namespace rankdeck
{

constexpr qint64 bytesOfOneLog = 256 * 1024;
/// Number of logs kept open; if there are more, each is opened when it has grown.
constexpr std::size_t mostOpen = 128;
constexpr int mostRanks = 65'535;

SelfTestLogs::SelfTestLogs(const LaunchPlan &plan)
{
    int worldSize = plan.worldSize();
    for (const ProcessPlan &process : plan.processes) {
        if (process.role == Role::Worker && !process.logFile.isEmpty())
            m_logs.push_back({process.rank.value, std::make_unique<LogTail>(process.logFile)});
        // Logs alone do not show the number of ranks.
        worldSize = std::max(worldSize, std::min(process.rank.value, mostRanks) + 1);
    }
    m_results = SelfTestResults(worldSize);
    m_keepsOpen = m_logs.size() <= mostOpen;
}

void SelfTestLogs::take(Log &log, QByteArrayView line)
{
    // Counts lines that are not events; they are read only once.
    const auto event = SelfTestEvent::fromLine(line.toByteArray());
    if (!event || event->rank != log.rank) {
        ++log.lines;
        return;
    }
    log.hasTold = true;
    m_isChanged = true;
    m_results.take(*event);
}

bool SelfTestLogs::readOn()
{
    bool isMore = false;
    for (Log &log : m_logs) {
        const qint64 most = log.hasTold ? bytesOfOneLog : mostOtherBytes;
        const qint64 size = log.tail->readLines([&](QByteArrayView line) { take(log, line); }, most);
        log.bytes += std::max<qint64>(size, 0);
        isMore = isMore || (log.hasTold && size >= bytesOfOneLog);
        if (!m_keepsOpen)
            log.tail->release();
    }
    std::erase_if(m_logs, [](const Log &log) {
        return !log.hasTold && (log.lines >= mostOtherLines || log.bytes >= mostOtherBytes);
    });
    return isMore;
}

void SelfTestLogs::readRest()
{
    while (readOn()) {
    }
    for (Log &log : m_logs)
        log.tail->flushRest([&](QByteArrayView line) { take(log, line); });
}

SelfTestFollower::SelfTestFollower(const LaunchPlan &plan)
    : m_logs(plan)
    , m_timer(this)
{
    m_timer.setInterval(lookMs);
    connect(&m_timer, &QTimer::timeout, this, &SelfTestFollower::look);
}

void SelfTestFollower::start()
{
    m_isFinishing = false;
    m_timer.start();
    look();
}

void SelfTestFollower::finish()
{
    m_isFinishing = true;
    m_timer.start();
    look();
}

/// Reads a backlog in several steps, so that the thread can serve others.
void SelfTestFollower::look()
{
    const bool isMore = m_logs.readOn();
    if (m_isFinishing && !isMore)
        m_logs.readRest();
    if (m_logs.takeChanged())
        Q_EMIT told(m_logs.results());
    if (m_logs.isOver() || (m_isFinishing && !isMore))
        m_timer.stop();
}

} // namespace rankdeck

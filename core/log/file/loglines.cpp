#include "log/file/loglines.h"

namespace rankdeck
{

constexpr std::chrono::milliseconds collectInterval{1000};

LogLines::LogLines()
    : m_timer(this)
    , m_catchUp(0, this)
    , m_searchStep(this)
    , m_collectStep(0, this)
{
    m_timer.setTimerType(Qt::CoarseTimer);
    connect(&m_timer, &QTimer::timeout, this, &LogLines::look);
    connect(&m_catchUp, &QTimer::timeout, this, &LogLines::look);
    connect(&m_searchStep, &QTimer::timeout, this, &LogLines::continueSearch);
    connect(&m_collectStep, &QTimer::timeout, this, &LogLines::continueCollecting);
}

void LogLines::request(LineNumber first, int count)
{
    repeatTrouble();
    Q_EMIT page(read(first, count));
}

void LogLines::followTail(int count)
{
    m_tailCount = std::max(0, count);
    repeatTrouble();
    sendTail();
}

void LogLines::collect(const LogPattern &pattern)
{
    m_collecting = pattern;
    collectAgain();
}

void LogLines::collectAgain()
{
    m_collected.clear();
    m_collectedCount = 0;
    m_sinceCollected.invalidate();
    m_collectStep.stop();
    if (!m_collecting.text.isEmpty() && beginCollecting(m_collecting))
        m_collectStep.start(0);
}

void LogLines::collectSoon()
{
    // Once a second: what counts matches must not send more than the lines themselves.
    if (!m_collecting.text.isEmpty() && m_collectedCount < mostCollected && !m_collectStep.isActive())
        m_collectStep.start(collectInterval);
}

void LogLines::continueCollecting()
{
    const qsizetype before = m_collected.size();
    const bool more = collectOn(m_collected);
    m_collectedCount += m_collected.size() - before;
    const bool isAll = !more || m_collectedCount >= mostCollected;
    if (isAll || !m_sinceCollected.isValid() || m_sinceCollected.hasExpired(collectInterval.count())) {
        m_sinceCollected.start();
        Q_EMIT collected(m_collecting, std::exchange(m_collected, {}), isAll);
    }
    if (!isAll)
        m_collectStep.start(0);
}

void LogLines::startSearching()
{
    m_progress = -1;
    m_searchStep.start(0);
}

void LogLines::tellProgress(int percent)
{
    if (std::exchange(m_progress, percent) != percent)
        Q_EMIT searchProgress(percent);
}

void LogLines::sendTail()
{
    if (m_tailCount > 0)
        Q_EMIT page(read(LineNumber(std::max(qint64(0), lineCount() - m_tailCount)), m_tailCount));
}

void LogLines::report(const QString &sentence)
{
    if (std::exchange(m_trouble, sentence) != sentence)
        Q_EMIT unreadable(sentence);
}

/// The caller may have connected after the error was reported.
void LogLines::repeatTrouble()
{
    if (!m_trouble.isEmpty())
        Q_EMIT unreadable(m_trouble);
}

} // namespace rankdeck

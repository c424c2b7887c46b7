#include "terminal/screen/terminalfollower.h"

#include <utility>

namespace rankdeck
{

/// A longer line is shown from its middle.
constexpr qint64 longestLine = 4096;

TerminalFollower::TerminalFollower(const QString &path)
    : m_file(path)
    , m_timer(0, this)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &TerminalFollower::poll);
}

void TerminalFollower::expectNews()
{
    m_quickPolls = quickPeriod / quickInterval;
    if (!m_isWaiting && !m_isFlooded && m_timer.remainingTime() > quickInterval)
        pollAgain();
}

bool TerminalFollower::openLog()
{
    if (m_file.isOpen())
        return true;
    if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return false;
    m_sizeAtOpening = size();
    m_offset = 0;
    m_skipped = 0;
    m_isFirst = true;
    if (m_sizeAtOpening > shownBefore)
        skipTo(m_sizeAtOpening - shownBefore, m_sizeAtOpening);
    return true;
}

/// Skips to the first line that begins at `offset` or after it.
void TerminalFollower::skipTo(qint64 offset, qint64 size)
{
    m_file.seek(offset);
    const QByteArray begin = m_file.read(std::min(longestLine, size - offset));
    const qint64 to = offset + begin.indexOf('\n') + 1;
    m_skipped += to - m_offset;
    m_offset = to;
}

void TerminalFollower::poll()
{
    if (!openLog()) {
        pollAgain();
        return;
    }
    const qint64 size = this->size();
    if (size < m_offset) {
        // The log was replaced, or a replay went back.
        m_file.close();
        pollAgain();
        return;
    }
    m_isFlooded = size - m_offset > mostBehind;
    if (m_isFlooded)
        skipTo(size - shownAfterSkip, size);
    m_file.seek(m_offset);
    Part news;
    news.isOld = m_offset < m_sizeAtOpening;
    news.bytes = m_file.read(std::min(partBytes, (news.isOld ? m_sizeAtOpening : size) - m_offset));
    if (news.bytes.isEmpty()) {
        pollAgain();
        return;
    }
    m_quickPolls = quickPeriod / quickInterval;
    m_offset += news.bytes.size();
    news.skipped = std::exchange(m_skipped, 0);
    news.isFirst = std::exchange(m_isFirst, false);
    m_isWaiting = true;
    Q_EMIT part(news);
}

void TerminalFollower::pollAgain()
{
    if (m_isFlooded) {
        m_isFlooded = false;
        m_timer.start(floodInterval);
        return;
    }
    // Old content comes at once.
    if (m_file.isOpen() && m_offset < m_sizeAtOpening) {
        m_timer.start(0);
        return;
    }
    m_timer.start(m_quickPolls > 0 ? quickInterval : idleInterval);
    m_quickPolls = std::max(0, m_quickPolls - 1);
}

} // namespace rankdeck

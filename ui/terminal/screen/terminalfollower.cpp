#include "terminal/terminalfollower.h"

#include <algorithm>
#include <utility>

namespace rankdeck
{

namespace
{

/// A line that is longer is begun in its middle.
constexpr qint64 longestLine = 4096;

} // namespace

TerminalFollower::TerminalFollower(const QString &path, QObject *parent)
    : QObject(parent)
    , m_file(path)
    , m_timer(this)
{
    m_timer.setSingleShot(true);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &TerminalFollower::look);
}

void TerminalFollower::start()
{
    look();
}

void TerminalFollower::taken()
{
    m_isWaiting = false;
    lookAgain();
}

void TerminalFollower::expectNews()
{
    m_quickLooks = quickPeriod / quickInterval;
    if (!m_isWaiting && !m_isFlooded && m_timer.remainingTime() > quickInterval)
        lookAgain();
}

bool TerminalFollower::openLog()
{
    if (m_file.isOpen())
        return true;
    if (!m_file.open(QIODevice::ReadOnly | QIODevice::Unbuffered))
        return false;
    m_sizeAtOpening = m_file.size();
    m_offset = 0;
    m_skipped = 0;
    m_isFirst = true;
    if (m_sizeAtOpening > shownBefore)
        skipTo(m_sizeAtOpening - shownBefore, m_sizeAtOpening);
    return true;
}

/// To the first line that begins there or behind it.
void TerminalFollower::skipTo(qint64 offset, qint64 size)
{
    m_file.seek(offset);
    const QByteArray begin = m_file.read(std::min(longestLine, size - offset));
    const qint64 to = offset + begin.indexOf('\n') + 1;
    m_skipped += to - m_offset;
    m_offset = to;
}

void TerminalFollower::look()
{
    if (!openLog()) {
        lookAgain();
        return;
    }
    const qint64 size = m_file.size();
    if (size < m_offset) {
        // Another log has taken its place.
        m_file.close();
        lookAgain();
        return;
    }
    m_isFlooded = size - m_offset > mostBehind;
    if (m_isFlooded)
        skipTo(size - shownAfterSkip, size);
    m_file.seek(m_offset);
    Part news;
    news.isOld = m_offset < m_sizeAtOpening;
    news.bytes = m_file.read(news.isOld ? std::min(partBytes, m_sizeAtOpening - m_offset) : partBytes);
    if (news.bytes.isEmpty()) {
        lookAgain();
        return;
    }
    m_quickLooks = quickPeriod / quickInterval;
    m_offset += news.bytes.size();
    news.skipped = std::exchange(m_skipped, 0);
    news.isFirst = std::exchange(m_isFirst, false);
    m_isWaiting = true;
    Q_EMIT part(news);
}

void TerminalFollower::lookAgain()
{
    if (m_isFlooded) {
        m_isFlooded = false;
        m_timer.start(floodInterval);
        return;
    }
    // What was there at first comes at once.
    if (m_file.isOpen() && m_offset < m_sizeAtOpening) {
        m_timer.start(0);
        return;
    }
    m_timer.start(m_quickLooks > 0 ? quickInterval : idleInterval);
    m_quickLooks = std::max(0, m_quickLooks - 1);
}

} // namespace rankdeck

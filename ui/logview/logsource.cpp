#include "logview/logsource.h"

#include <algorithm>

namespace rankdeck
{

LogSource::LogSource(QObject *parent)
    : QObject(parent)
{
}

LogSource::~LogSource()
{
    Q_EMIT tailWanted(0);
}

void LogSource::setFollower(LogFollower *follower)
{
    Q_EMIT tailWanted(0);
    if (m_follower) {
        disconnect(m_follower, nullptr, this, nullptr);
        disconnect(this, nullptr, m_follower, nullptr);
    }
    m_follower = follower;
    onRestarted();
    if (!follower)
        return;

    connect(follower, &LogFollower::page, this, &LogSource::onPage, Qt::QueuedConnection);
    connect(follower, &LogFollower::grew, this, &LogSource::onGrew, Qt::QueuedConnection);
    connect(follower, &LogFollower::restarted, this, &LogSource::onRestarted, Qt::QueuedConnection);
    connect(
        follower, &LogFollower::found, this, [this](LineNumber line) { Q_EMIT found(line.value); },
        Qt::QueuedConnection);
    connect(follower, &LogFollower::notFound, this, &LogSource::notFound, Qt::QueuedConnection);
    connect(follower, &LogFollower::searchProgress, this, &LogSource::searchProgress, Qt::QueuedConnection);
    connect(follower, &LogFollower::unreadable, this, &LogSource::unreadable, Qt::QueuedConnection);
    connect(this, &LogSource::linesWanted, follower, &LogFollower::request, Qt::QueuedConnection);
    connect(this, &LogSource::tailWanted, follower, &LogFollower::followTail, Qt::QueuedConnection);
    connect(this, &LogSource::searchWanted, follower, &LogFollower::find, Qt::QueuedConnection);
    if (m_tailCount > 0)
        Q_EMIT tailWanted(m_tailCount);
    else
        request(0, 1); // Only to hear how much there is.
}

bool LogSource::hasLines(qint64 first, qint64 count) const
{
    const qint64 end = std::min(first + count, m_totalLines);
    return first >= end || (first >= m_page.first.value && end <= m_page.first.value + m_page.lines.size());
}

QByteArray LogSource::line(qint64 number) const
{
    const qint64 index = number - m_page.first.value;
    return index >= 0 && index < m_page.lines.size() ? m_page.lines[index] : QByteArray();
}

void LogSource::followTail(int count)
{
    if (count == m_tailCount)
        return;
    m_tailCount = count;
    Q_EMIT tailWanted(count);
}

void LogSource::want(qint64 first, int count)
{
    m_wantedFirst = first;
    m_wantedCount = count;
    if (count <= 0)
        return;
    // A screenful to either side, so that the next notch of the wheel finds its lines here.
    const qint64 from = std::max(qint64(0), first - count);
    const qint64 near = std::max(qint64(0), first - count / 2);
    if (m_totalLines > 0 && hasLines(near, first + count + count / 2 - near))
        return;
    m_requestedFirst = from;
    Q_EMIT linesWanted(LineNumber(from), int(first - from) + 2 * count);
}

void LogSource::request(qint64 first, int count)
{
    Q_EMIT linesWanted(LineNumber(first), count);
}

void LogSource::find(const QString &text, qint64 from, bool backward, bool caseSensitive)
{
    Q_EMIT searchWanted(text, LineNumber(from), backward, caseSensitive);
}

void LogSource::onPage(const LogPage &page)
{
    m_totalLines = page.totalLines;
    Q_EMIT pageReceived(page);
    const bool isTail = m_tailCount > 0 && page.atEnd;
    if (!isTail && page.first.value != m_requestedFirst)
        return;
    m_page = page;
    Q_EMIT pageChanged();
}

void LogSource::onGrew(qint64 totalLines)
{
    // The page's last line may have been unfinished.
    const qint64 pageEnd = m_page.first.value + m_page.lines.size();
    const bool touchesEnd = m_wantedFirst + m_wantedCount >= pageEnd;
    m_totalLines = totalLines;
    Q_EMIT grew();
    if (m_tailCount == 0 && m_wantedCount > 0 && touchesEnd) {
        m_requestedFirst = std::max(qint64(0), m_wantedFirst - m_wantedCount);
        Q_EMIT linesWanted(LineNumber(m_requestedFirst), 3 * m_wantedCount);
    }
}

void LogSource::onRestarted()
{
    m_page = {};
    m_totalLines = 0;
    m_requestedFirst = -1;
    m_wantedFirst = 0;
    Q_EMIT restarted();
}

} // namespace rankdeck

#include "log/logsearch.h"

#include "log/logfile.h"

#include <algorithm>
#include <cstring>

namespace rankdeck
{

namespace
{

constexpr qint64 readBytesAtOnce = 256 * 1024;
/// A longer line is searched piece by piece, the pieces overlapping.
constexpr qsizetype longestWholeLine = 1024 * 1024;
constexpr qsizetype overlapBytes = 4096;

/// Ten times as fast as counting bytes.
qint64 newlinesIn(QByteArrayView bytes)
{
    qint64 count = 0;
    const char *at = bytes.begin();
    while (at < bytes.end() &&
           (at = static_cast<const char *>(std::memchr(at, '\n', size_t(bytes.end() - at))))) {
        ++count;
        ++at;
    }
    return count;
}

} // namespace

LogSearch::LogSearch(const LogFile &file, std::unique_ptr<LineFinder> finder, LineNumber from, bool backward)
    : m_finder(std::move(finder))
    , m_backward(backward)
    , m_from(from)
{
    m_stretch = file.stretchOf(from);
    m_lastStretch = backward ? 0 : file.stretchCount() - 1;
    const auto [low, high] = std::minmax(m_stretch, m_lastStretch);
    m_toSearch = file.stretch(high).end.value - file.stretch(low).begin.value;
    const bool nothingThere = backward ? from.value < 0 : from.value >= file.totalLines();
    if (nothingThere)
        m_stretch = m_lastStretch + (backward ? -1 : 1);
    else
        enterStretch(file);
}

bool LogSearch::enterStretch(const LogFile &file)
{
    if (m_backward ? m_stretch < m_lastStretch : m_stretch > m_lastStretch)
        return false;
    const LogFile::Stretch stretch = file.stretch(m_stretch);
    m_at = stretch.begin.value;
    m_end = stretch.end.value;
    m_line = stretch.firstLine.value;
    m_pending.clear();
    m_finder->begin();
    return true;
}

bool LogSearch::inRange(qint64 line) const
{
    return m_backward ? line <= m_from.value : line >= m_from.value;
}

LogSearch::State LogSearch::step(const LogFile &file, qint64 budget)
{
    while (m_backward ? m_stretch >= m_lastStretch : m_stretch <= m_lastStretch) {
        if (m_at >= m_end) {
            searchLines(m_pending);
            if (m_match)
                return State::Found;
            m_stretch += m_backward ? -1 : 1;
            enterStretch(file);
            continue;
        }
        if (budget <= 0)
            return State::Running;

        const qsizetype before = m_pending.size();
        const qint64 want = std::min(readBytesAtOnce, m_end - m_at);
        m_pending.resize(before + want);
        const qint64 got = file.readBytes(ByteOffset(m_at), m_pending.data() + before, want);
        m_pending.resize(before + got);
        if (got == 0)
            m_at = m_end;
        m_at += got;
        m_searched += got;
        budget -= std::max(qint64(1), got);

        const qsizetype whole = m_pending.lastIndexOf('\n') + 1;
        if (whole > 0) {
            searchLines(QByteArrayView(m_pending).first(whole));
            m_line += newlinesIn(QByteArrayView(m_pending).first(whole));
            m_pending.remove(0, whole);
        } else if (m_pending.size() > longestWholeLine) {
            searchLines(m_pending);
            m_pending = m_pending.last(std::min(m_pending.size(), overlapBytes));
        }
        if (m_match && !m_backward)
            return State::Found;
    }
    return State::NotFound;
}

/// Going backward, the last match of a stretch is the one wanted, so the whole stretch is looked at.
void LogSearch::searchLines(QByteArrayView lines)
{
    m_finder->enter(lines);
    qint64 line = m_line;
    qsizetype at = 0;
    while (at < lines.size() && !(m_backward && !inRange(line))) {
        const std::optional<qsizetype> hit = m_finder->next(at);
        if (!hit)
            return;
        line += newlinesIn(lines.sliced(at, *hit - at));
        if (inRange(line)) {
            m_match = LineNumber(line);
            if (!m_backward)
                return;
        }
        const void *const newline = std::memchr(lines.data() + *hit, '\n', size_t(lines.size() - *hit));
        at = newline ? static_cast<const char *>(newline) - lines.data() + 1 : lines.size();
        ++line;
    }
}

int LogSearch::progress() const
{
    return m_toSearch > 0 ? int(std::min(qint64(100), 100 * m_searched / m_toSearch)) : 100;
}

} // namespace rankdeck

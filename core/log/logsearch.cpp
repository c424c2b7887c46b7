#include "log/logsearch.h"

#include "log/ansidecoder.h"
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

char toLowerAscii(char c)
{
    return c >= 'A' && c <= 'Z' ? char(c + ('a' - 'A')) : c;
}

uchar isControl(char c)
{
    return uchar(uchar(uchar(c) < 0x20) & uchar(c != '\n')) | uchar(c == 0x7F);
}

/// In blocks without a way out of them, so that the compiler looks at many bytes at once.
bool hasControls(QByteArrayView bytes)
{
    constexpr qsizetype block = 64;
    uchar found = 0;
    qsizetype at = 0;
    for (; at + block <= bytes.size(); at += block) {
        for (qsizetype i = 0; i < block; ++i)
            found |= isControl(bytes.data()[at + i]);
    }
    for (; at < bytes.size(); ++at)
        found |= isControl(bytes.data()[at]);
    return found != 0;
}

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

bool comparableAsBytes(const QString &text, bool caseSensitive)
{
    return std::all_of(text.begin(), text.end(), [caseSensitive](QChar c) {
        const bool standsForAnother =
            c.unicode() == 0xFFFD || (c.unicode() >= 0x2400 && c.unicode() < 0x2440);
        const bool folds = c.unicode() >= 0x80 && (c.isSurrogate() || c.toLower() != c || c.toUpper() != c);
        return !standsForAnother && (caseSensitive || !folds);
    });
}

} // namespace

LogSearch::LogSearch(const LogFile &file, QString text, LineNumber from, bool backward, bool caseSensitive)
    : m_text(std::move(text))
    , m_needle(m_text.toUtf8())
    , m_bytesSuffice(comparableAsBytes(m_text, caseSensitive))
    , m_backward(backward)
    , m_caseSensitive(caseSensitive)
    , m_from(from)
{
    if (!caseSensitive)
        std::transform(m_needle.begin(), m_needle.end(), m_needle.begin(), toLowerAscii);
    m_stretch = file.stretchOf(from);
    m_lastStretch = backward ? 0 : file.stretchCount() - 1;
    const auto [low, high] = std::minmax(m_stretch, m_lastStretch);
    m_toSearch = file.stretch(high).end.value - file.stretch(low).begin.value;
    const bool nothingThere =
        m_text.isEmpty() || (backward ? from.value < 0 : from.value >= file.totalLines());
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
            m_pending = m_pending.last(std::min(m_pending.size(), overlapBytes + m_needle.size()));
        }
        if (m_match && !m_backward)
            return State::Found;
    }
    return State::NotFound;
}

/// Going backward, the last match of a stretch is the one wanted, so the whole stretch is looked at.
void LogSearch::searchLines(QByteArrayView lines)
{
    qint64 line = m_line;
    qsizetype at = 0;
    const bool byBytes = m_bytesSuffice && !hasControls(lines);
    QByteArray folded;
    if (byBytes && !m_caseSensitive) {
        folded = lines.toByteArray();
        std::transform(folded.cbegin(), folded.cend(), folded.begin(), toLowerAscii);
        lines = folded;
    }
    while (at < lines.size() && !(m_backward && !inRange(line))) {
        if (byBytes) {
            const qsizetype hit = indexOf(lines, at);
            if (hit < 0)
                return;
            line += newlinesIn(lines.sliced(at, hit - at));
            at = hit;
        }
        const void *const newline = std::memchr(lines.data() + at, '\n', size_t(lines.size() - at));
        const qsizetype end = newline ? static_cast<const char *>(newline) - lines.data() : lines.size();
        if (inRange(line) && (byBytes || matchesShownText(lines.sliced(at, end - at)))) {
            m_match = LineNumber(line);
            if (!m_backward)
                return;
        }
        at = end + 1;
        ++line;
    }
}

qsizetype LogSearch::indexOf(QByteArrayView bytes, qsizetype from) const
{
    const auto begin = bytes.begin() + from;
    const void *const hit =
        memmem(begin, size_t(bytes.end() - begin), m_needle.constData(), size_t(m_needle.size()));
    return hit ? static_cast<const char *>(hit) - bytes.data() : -1;
}

bool LogSearch::matchesShownText(QByteArrayView line) const
{
    return AnsiDecoder::plainText(line).contains(m_text,
                                                 m_caseSensitive ? Qt::CaseSensitive : Qt::CaseInsensitive);
}

int LogSearch::progress() const
{
    return m_toSearch > 0 ? int(std::min(qint64(100), 100 * m_searched / m_toSearch)) : 100;
}

} // namespace rankdeck

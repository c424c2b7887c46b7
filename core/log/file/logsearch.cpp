#include "log/file/logsearch.h"

#include "log/file/loglines.h"
#include "log/line/ansidecoder.h"

#include <cstring>

namespace rankdeck
{

/// Returns the line that begins at `from`, without its end.
static QByteArrayView lineAt(QByteArrayView lines, qsizetype from)
{
    const qsizetype newline = lines.indexOf('\n', from);
    return lines.sliced(from, (newline < 0 ? lines.size() : newline) - from);
}

constexpr int mostStretchesWithoutStamp = 64;
/// Limit for a stretch that holds a longer line.
constexpr qint64 mostBytes = 1024 * 1024;

/// Visits the lines of a stretch until `visit(number, line)` returns true.
template <typename Visit>
static bool visitLines(const LogFile &file, int index, Visit visit)
{
    const LogFile::Stretch stretch = file.stretch(index);
    QByteArray bytes(std::min(mostBytes, stretch.end.value - stretch.begin.value), Qt::Uninitialized);
    bytes.truncate(file.readBytes(stretch.begin, bytes.data(), bytes.size()));
    LogLineReader reader;
    qint64 number = stretch.firstLine.value;
    for (qsizetype at = 0; at < bytes.size(); ++number) {
        const qsizetype newline = bytes.indexOf('\n', at);
        const qsizetype end = newline < 0 ? bytes.size() : newline;
        if (visit(LineNumber(number), reader.read(QByteArrayView(bytes).sliced(at, end - at))))
            return true;
        at = end + 1;
    }
    return false;
}

static std::optional<LogTime> firstTime(const LogFile &file, int from, int end)
{
    std::optional<LogTime> found;
    for (int index = from; index < std::min(end, from + mostStretchesWithoutStamp) && !found; ++index) {
        visitLines(file, index, [&](LineNumber, const LogLineReader::Line &said) {
            found = said.time;
            return found.has_value();
        });
    }
    return found;
}

constexpr qint64 searchedAtOnce = 256 * 1024;
/// A longer line is searched in overlapping pieces.
constexpr qsizetype longestWholeLine = 1024 * 1024;
constexpr qsizetype overlapBytes = 4096;

/// Ten times as fast as counting bytes.
static qint64 newlinesIn(QByteArrayView bytes)
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

void PatternFinder::enter(QByteArrayView lines)
{
    m_lines = lines;
    m_allAtOnce = m_matcher.takesManyLines() && isShownAsItIs(lines);
    m_isNowhere = m_allAtOnce && !m_matcher.mayBeIn(lines);
}

bool PatternFinder::isInLine(QByteArrayView line) const
{
    return m_matcher.isIn(isShownAsItIs(line) ? line : AnsiDecoder::plainText(line).toUtf8());
}

std::optional<qsizetype> PatternFinder::next(qsizetype from)
{
    if (m_isNowhere)
        return {};
    if (m_allAtOnce)
        return m_matcher.firstIn(m_lines, from);
    while (from < m_lines.size()) {
        const QByteArrayView line = lineAt(m_lines, from);
        if (isInLine(line))
            return from;
        from += line.size() + 1;
    }
    return {};
}

void ErrorFinder::enter(QByteArrayView lines)
{
    m_lines = lines;
    m_at = 0;
}

std::optional<qsizetype> ErrorFinder::next(qsizetype from)
{
    // Reads also the lines before `from`: the meaning of a line depends on those before it.
    while (m_at < m_lines.size()) {
        const qsizetype at = m_at;
        const QByteArrayView line = lineAt(m_lines, at);
        const LogLineReader::Line said = m_reader.read(line);
        m_at += line.size() + 1;
        if (at >= from && said.beginsError())
            return at;
    }
    return {};
}

std::optional<LineNumber> lineAtTime(const LogFile &file, LogTime time)
{
    int low = 0; // The match does not begin before this place.
    int high = file.stretchCount();
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        const std::optional<LogTime> first = firstTime(file, middle, high);
        (first && *first < time ? low : high) = middle;
    }
    std::optional<LineNumber> found;
    for (int index = low; index < std::min(file.stretchCount(), low + mostStretchesWithoutStamp) && !found;
         ++index) {
        visitLines(file, index, [&](LineNumber line, const LogLineReader::Line &said) {
            if (said.time && *said.time >= time)
                found = line;
            return found.has_value();
        });
    }
    return found;
}

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

LogSearch::State LogSearch::step(const LogFile &file, qint64 budget, QList<qint64> *all)
{
    while (m_backward ? m_stretch >= m_lastStretch : m_stretch <= m_lastStretch) {
        if (m_at >= m_end) {
            searchLines(m_pending, all);
            if (m_match)
                return State::Found;
            m_stretch += m_backward ? -1 : 1;
            enterStretch(file);
            continue;
        }
        if (budget <= 0)
            return State::Running;

        const qsizetype before = m_pending.size();
        const qint64 want = std::min(searchedAtOnce, m_end - m_at);
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
            searchLines(QByteArrayView(m_pending).first(whole), all);
            m_line += newlinesIn(QByteArrayView(m_pending).first(whole));
            m_pending.remove(0, whole);
        } else if (m_pending.size() > longestWholeLine) {
            searchLines(m_pending, all);
            m_pending = m_pending.last(std::min(m_pending.size(), overlapBytes));
        }
        if (m_match && !m_backward)
            return State::Found;
    }
    return State::NotFound;
}

/// Going backward, the last match of a stretch counts, so the whole stretch is searched.
void LogSearch::searchLines(QByteArrayView lines, QList<qint64> *all)
{
    m_finder->enter(lines);
    qint64 line = m_line;
    qsizetype at = 0;
    while (at < lines.size() && !(m_backward && !inRange(line))) {
        const std::optional<qsizetype> hit = m_finder->next(at);
        if (!hit)
            return;
        line += newlinesIn(lines.sliced(at, *hit - at));
        // Pieces of a long line may match twice.
        if (all && inRange(line) && (all->isEmpty() || all->constLast() < line)) {
            all->append(line);
        } else if (!all && inRange(line)) {
            m_match = LineNumber(line);
            if (!m_backward)
                return;
        }
        const qsizetype newline = lines.indexOf('\n', *hit);
        at = newline < 0 ? lines.size() : newline + 1;
        ++line;
    }
}

int LogSearch::progress() const
{
    return m_toSearch > 0 ? int(std::min(qint64(100), 100 * m_searched / m_toSearch)) : 100;
}

constexpr qint64 sliceBytes = 8 * 1024 * 1024;
constexpr qsizetype longestText = 300;
constexpr qint64 longestBytes = 2000;
constexpr int linesAtOnce = 100;
constexpr int sliceMs = 50;
constexpr int tellMs = 250;

ManyLogsSearch::ManyLogsSearch(QList<Log> logs, LogMatcher matcher)
    : m_all(std::move(logs))
    , m_matcher(std::move(matcher))
    , m_step(this)
{
    connect(&m_step, &QTimer::timeout, this, &ManyLogsSearch::goOn);
    m_sinceTold.start();
}

/// Searches for some time, then lets the thread's events in: the object may be deleted by one.
void ManyLogsSearch::goOn()
{
    QElapsedTimer slice;
    slice.start();
    while (m_log < m_all.size() && !slice.hasExpired(sliceMs))
        searchOn();
    const bool isDone = m_log == m_all.size();
    if (isDone || m_sinceTold.hasExpired(tellMs)) {
        m_sinceTold.start();
        Q_EMIT progressed(std::exchange(m_hits, {}), m_log);
    }
    if (isDone) {
        m_step.stop();
        Q_EMIT finished();
    }
}

void ManyLogsSearch::searchOn()
{
    if (!m_file) {
        m_file = std::make_unique<LogFile>(m_all[m_log].path);
        m_file->setLimit(m_all[m_log].limit);
    }
    if (!m_search) {
        const auto growth = m_file->poll(sliceBytes);
        if (growth && growth->more)
            return;
        m_search.emplace(*m_file, std::make_unique<PatternFinder>(m_matcher), LineNumber(), false);
    }
    if (m_search->step(*m_file, sliceBytes, &m_lines) == LogSearch::State::Running)
        return;
    take();
    m_search.reset();
    m_file.reset();
    m_lines.clear();
    ++m_log;
}

void ManyLogsSearch::take()
{
    if (m_lines.isEmpty())
        return;
    LogHits hits{m_log, m_lines.size(), {}};
    LogPage page;
    for (const qint64 line : m_lines.mid(0, mostLines)) {
        if (line >= page.first.value + page.lines.size())
            page = m_file->read(LineNumber(line), linesAtOnce, false);
        const QByteArray bytes = page.lines.value(line - page.first.value);
        hits.lines.append(
            {LineNumber(line), AnsiDecoder::plainText(bytes.left(longestBytes)).left(longestText)});
    }
    m_hits.append(hits);
}

} // namespace rankdeck

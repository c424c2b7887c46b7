#include "log/file/logfollower.h"

#include "log/line/ansidecoder.h"

namespace rankdeck
{

constexpr qint64 searchSliceBytes = 8 * 1024 * 1024;
/// Lines read before a page, since they may have begun a traceback that goes on in it.
constexpr qint64 linesBefore = 40;
constexpr int lastLineBytes = 500;
constexpr int lastLineSearch = 16;

static QString shortened(QString text)
{
    if (text.size() > lastLineBytes)
        text.truncate(lastLineBytes);
    while (text.toUtf8().size() > lastLineBytes || (!text.isEmpty() && text.back().isHighSurrogate()))
        text.chop(1);
    return text;
}

LogFollower::LogFollower(QString path)
    : m_file(std::move(path))
{
}

void LogFollower::start()
{
    m_finishing = false;
    startPolling();
    look();
}

void LogFollower::finish()
{
    m_finishing = true;
    look();
}

void LogFollower::requestWhole(LineNumber line)
{
    const QByteArray bytes = m_file.readWhole(line, maxWholeLineBytes + 1);
    Q_EMIT wholeLine(line, bytes.last(std::min<qsizetype>(bytes.size(), maxWholeLineBytes)),
                     bytes.size() <= maxWholeLineBytes);
}

void LogFollower::find(const LogPattern &pattern, LineNumber from, bool backward)
{
    cancelSearch();
    if (pattern.text.isEmpty())
        return;
    if (const Result<LogMatcher> matcher = LogMatcher::create(pattern))
        startSearch(std::make_unique<PatternFinder>(*matcher), from, backward);
    else
        Q_EMIT notFound();
}

void LogFollower::findError(LineNumber from, bool backward)
{
    cancelSearch();
    startSearch(std::make_unique<ErrorFinder>(), from, backward);
}

void LogFollower::findTime(LogTime time)
{
    cancelSearch();
    if (const std::optional<LineNumber> line = lineAtTime(m_file, time))
        Q_EMIT found(*line);
    else
        Q_EMIT notFound();
}

void LogFollower::findOrigin(int, LineNumber line)
{
    cancelSearch();
    if (line.value >= 0 && line.value < m_file.totalLines())
        Q_EMIT found(line);
    else
        Q_EMIT notFound();
}

bool LogFollower::beginCollecting(const LogPattern &pattern)
{
    const Result<LogMatcher> matcher = LogMatcher::create(pattern);
    m_collectMatcher = matcher ? std::optional(*matcher) : std::nullopt;
    m_collector.reset();
    m_collectFrom = {};
    m_lastCollected = -1;
    m_collectedBytes = -1;
    return m_collectMatcher.has_value();
}

bool LogFollower::collectOn(QList<qint64> &lines)
{
    if (!m_collector) {
        if (std::exchange(m_collectedBytes, m_file.totalBytes()) == m_file.totalBytes())
            return false;
        m_collector.emplace(m_file, std::make_unique<PatternFinder>(*m_collectMatcher), m_collectFrom, false);
        // The last line may be unfinished: it is looked at again.
        m_collectFrom = LineNumber(std::max<qint64>(0, m_file.totalLines() - 1));
    }
    QList<qint64> found;
    const bool more = m_collector->step(m_file, searchSliceBytes, &found) == LogSearch::State::Running;
    for (const qint64 line : std::as_const(found)) {
        if (line > std::exchange(m_lastCollected, std::max(m_lastCollected, line)))
            lines.append(line);
    }
    if (!more)
        m_collector.reset();
    return more || m_collectedBytes != m_file.totalBytes();
}

void LogFollower::setMarks(const QList<LogMark> &marks)
{
    m_marks = marks;
    m_placedMarks = 0;
    placeMarks();
    Q_EMIT marked();
    sendTail();
}

void LogFollower::look()
{
    const Result<LogGrowth> growth = m_file.poll();
    if (!growth) {
        report(growth.error().sentence());
    } else {
        if (m_file.exists())
            report({});
        if (growth->restarted) {
            m_lastLine.clear();
            m_placedMarks = 0;
            Q_EMIT restarted();
            cancelSearch();
            collectAgain();
        }
        if (growth->changed) {
            placeMarks();
            announce();
            collectSoon();
        }
        if (growth->more) {
            lookSoon();
            return;
        }
    }
    if (m_finishing) {
        stopPolling();
        if (growth && !m_file.exists())
            report(Error{LogFollower::tr("Log not found."), m_file.path(), {}}.sentence());
    }
}

void LogFollower::announce()
{
    const qint64 first = std::max(qint64(0), m_file.totalLines() - lastLineSearch);
    const LogPage tail = m_file.read(LineNumber(first), lastLineSearch, false);
    for (auto line = tail.lines.crbegin(); line != tail.lines.crend(); ++line) {
        const QString text = AnsiDecoder::plainText(*line).trimmed();
        if (!text.isEmpty()) {
            m_lastLine = shortened(text);
            break;
        }
    }
    Q_EMIT grew(m_file.totalLines(), m_file.totalBytes(), m_lastLine);
    sendTail();
}

LogPage LogFollower::read(LineNumber first, int count)
{
    const int before = int(std::clamp<qint64>(first.value, 0, linesBefore));
    LogPage page = m_file.read(LineNumber(first.value - before), before + count);
    LogLineReader reader;
    for (const QByteArray &line : std::as_const(page.lines))
        page.said.append(reader.read(line));
    const auto behind = std::min<qsizetype>(before, page.lines.size());
    page.lines.remove(0, behind);
    page.said.remove(0, behind);
    page.first = LineNumber(std::max<qint64>(0, first.value));
    page.marks = m_marks.first(m_placedMarks);
    return page;
}

void LogFollower::placeMarks()
{
    while (m_placedMarks < m_marks.size() && m_marks[m_placedMarks].offset.value <= m_file.totalBytes()) {
        m_marks[m_placedMarks].line = m_file.lineOf(m_marks[m_placedMarks].offset);
        ++m_placedMarks;
    }
}

void LogFollower::startSearch(std::unique_ptr<LineFinder> finder, LineNumber from, bool backward)
{
    m_search.emplace(m_file, std::move(finder), from, backward);
    startSearching();
}

void LogFollower::stopSearch()
{
    m_search.reset();
    stopSearching();
}

void LogFollower::cancelSearch()
{
    if (!m_search)
        return;
    stopSearch();
    Q_EMIT notFound();
}

void LogFollower::continueSearch()
{
    const LogSearch::State state = m_search->step(m_file, searchSliceBytes);
    if (state == LogSearch::State::Running) {
        tellProgress(m_search->progress());
        return;
    }
    const LineNumber line = m_search->line();
    stopSearch();
    if (state == LogSearch::State::Found)
        Q_EMIT found(line);
    else
        Q_EMIT notFound();
}

} // namespace rankdeck

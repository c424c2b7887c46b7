#include "logview/source/logsource.h"

namespace rankdeck
{

void LogSource::setLines(LogLines *lines)
{
    Q_EMIT tailRequested(0);
    Q_EMIT collectRequested({});
    if (m_lines)
        disconnect(this, nullptr, m_lines, nullptr);
    m_answers = std::make_unique<QObject>();
    m_unanswered = 0;
    m_lines = lines;
    onRestarted();
    if (!lines)
        return;

    const auto hear = [this, lines](auto signal, auto slot) {
        connect(lines, signal, m_answers.get(), slot, Qt::QueuedConnection);
    };
    hear(&LogLines::page, [this](const LogPage &page) { onPage(page); });
    hear(&LogLines::marked, [this] { onMarked(); });
    hear(&LogLines::grew, [this](qint64 totalLines) { onGrew(totalLines); });
    hear(&LogLines::restarted, [this] { onRestarted(); });
    hear(&LogLines::found, [this](LineNumber line) {
        if (const auto search = takeAnswer())
            Q_EMIT found(*search, m_marks.shownLine(line.value));
    });
    hear(&LogLines::notFound, [this] {
        if (const auto search = takeAnswer())
            Q_EMIT notFound(*search);
    });
    hear(&LogLines::searchProgress, [this](int percent) {
        if (m_search != Search::None && m_unanswered == 1)
            Q_EMIT searchProgress(m_search, percent);
    });
    hear(&LogLines::collected, [this](const LogPattern &pattern, const QList<qint64> &hits, bool isAll) {
        if (pattern != m_collecting)
            return; // The answer belongs to the pattern before.
        m_hits += hits;
        if (std::exchange(m_hasAllHits, isAll) != isAll || !hits.isEmpty())
            Q_EMIT hitsChanged();
    });
    hear(&LogLines::unreadable, [this](const QString &sentence) { Q_EMIT unreadable(sentence); });
    hear(&LogLines::wholeLine, [this](LineNumber line, const QByteArray &bytes, bool isWhole) {
        if (line.value == std::exchange(m_requestedWhole, -1))
            Q_EMIT wholeLineReceived(bytes, isWhole);
    });
    connect(this, &LogSource::wholeLineRequested, lines, &LogLines::requestWhole, Qt::QueuedConnection);
    connect(this, &LogSource::linesRequested, lines, &LogLines::request, Qt::QueuedConnection);
    connect(this, &LogSource::tailRequested, lines, &LogLines::followTail, Qt::QueuedConnection);
    connect(this, &LogSource::searchRequested, lines, &LogLines::find, Qt::QueuedConnection);
    connect(this, &LogSource::errorRequested, lines, &LogLines::findError, Qt::QueuedConnection);
    connect(this, &LogSource::timeRequested, lines, &LogLines::findTime, Qt::QueuedConnection);
    connect(this, &LogSource::originRequested, lines, &LogLines::findOrigin, Qt::QueuedConnection);
    connect(this, &LogSource::collectRequested, lines, &LogLines::collect, Qt::QueuedConnection);
    if (!m_collecting.text.isEmpty())
        Q_EMIT collectRequested(m_collecting);
    if (m_tailCount > 0)
        Q_EMIT tailRequested(m_tailCount);
    else
        request(0, 1); // Only to learn the number of lines.
}

bool LogSource::hasLines(qint64 first, qint64 count) const
{
    const qint64 end = std::min(first + count, totalLines());
    return first >= end || hasFileLines(m_marks.fileLine(first), m_marks.fileLine(end));
}

QByteArray LogSource::line(qint64 number) const
{
    if (m_marks.isMark(number))
        return m_marks.line(number);
    const qint64 index = m_marks.fileLine(number) - m_page.first.value;
    return index >= 0 && index < m_page.lines.size() ? m_page.lines[index] : QByteArray();
}

std::optional<LogPage::Origin> LogSource::origin(qint64 number) const
{
    const qint64 index = m_marks.fileLine(number) - m_page.first.value;
    return index >= 0 && index < m_page.origins.size() ? std::optional(m_page.origins[index]) : std::nullopt;
}

qint64 LogSource::lineInFile(qint64 number) const
{
    const auto there = origin(number);
    return there ? there->line.value : fileLine(number);
}

qint64 LogSource::largestNumber() const
{
    qint64 largest = totalLines();
    for (const LogPage::Origin &origin : m_page.origins)
        largest = std::max(largest, origin.line.value + 1);
    return largest;
}

LogSelection LogSource::inFile(const LogSelection &selection) const
{
    CellPosition begin = selection.begin();
    CellPosition end = selection.end();
    begin = {m_marks.fileLine(begin.line), m_marks.isMark(begin.line) ? 0 : begin.cell};
    if (m_marks.isMark(end.line))
        end = {m_marks.fileLine(end.line) - 1, LogSelection::endOfLine};
    else
        end.line = m_marks.fileLine(end.line);
    return begin < end ? LogSelection{begin, end} : LogSelection();
}

void LogSource::want(qint64 first, int count)
{
    m_wantedFirst = m_marks.fileLine(first);
    m_wantedCount = count;
    if (count <= 0)
        return;
    const qint64 near = std::max(qint64(0), m_wantedFirst - count / 2);
    const qint64 end = std::min(m_wantedFirst + count + count / 2, m_totalLines);
    if (m_totalLines == 0 || !hasFileLines(near, end))
        ask();
}

/// Requests a screenful more to either side, so that the next turn of the wheel finds its lines here.
void LogSource::ask()
{
    m_requestedFirst = std::max(qint64(0), m_wantedFirst - m_wantedCount);
    Q_EMIT linesRequested(LineNumber(m_requestedFirst),
                          int(m_wantedFirst - m_requestedFirst) + 2 * m_wantedCount);
}

LineNumber LogSource::searchFrom(qint64 line, bool backward) const
{
    // Marks are not searched.
    return LineNumber(backward ? m_marks.fileLine(line + 1) - 1 : m_marks.fileLine(line));
}

std::optional<LogSource::Search> LogSource::takeAnswer()
{
    if (--m_unanswered > 0)
        return std::nullopt;
    const Search search = std::exchange(m_search, Search::None);
    return search == Search::None ? std::nullopt : std::optional(search);
}

void LogSource::find(const LogPattern &pattern, qint64 from, bool backward)
{
    if (pattern.text.isEmpty()) {
        stopSearch();
        return;
    }
    beginSearch(Search::Text);
    Q_EMIT searchRequested(pattern, searchFrom(from, backward), backward);
}

void LogSource::findError(qint64 from, bool backward)
{
    beginSearch(Search::Error);
    Q_EMIT errorRequested(searchFrom(from, backward), backward);
}

void LogSource::findTime(LogTime time)
{
    beginSearch(Search::Time);
    Q_EMIT timeRequested(time);
}

void LogSource::findOrigin(int log, qint64 lineInFile)
{
    beginSearch(Search::Place);
    Q_EMIT originRequested(log, LineNumber(lineInFile));
}

void LogSource::collect(const LogPattern &pattern)
{
    if (std::exchange(m_collecting, pattern) == pattern)
        return;
    forgetHits();
    Q_EMIT collectRequested(pattern);
}

void LogSource::forgetHits()
{
    m_hasAllHits = false;
    m_hits.clear();
    Q_EMIT hitsChanged();
}

void LogSource::stopSearch()
{
    m_search = Search::None;
    Q_EMIT searchRequested({}, LineNumber(), false);
}

const LogLineReader::Line *LogSource::said(qint64 number) const
{
    const qint64 index = m_marks.fileLine(number) - m_page.first.value;
    return index >= 0 && index < m_page.said.size() ? &m_page.said[index] : nullptr;
}

LogSeverity LogSource::severity(qint64 number) const
{
    const LogLineReader::Line *const line = said(number);
    return line && !m_marks.isMark(number) ? line->ownSeverity() : LogSeverity::None;
}

std::optional<LogTime> LogSource::time(qint64 number) const
{
    const LogLineReader::Line *const line = said(number);
    return line ? line->time : std::nullopt;
}

void LogSource::onPage(const LogPage &page)
{
    m_totalLines = page.totalLines;
    m_marks.set(page.marks);
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
    if (m_tailCount == 0 && m_wantedCount > 0 && touchesEnd)
        ask();
}

void LogSource::onRestarted()
{
    m_page = {};
    m_marks = {};
    m_search = Search::None;
    m_totalLines = 0;
    m_requestedFirst = -1;
    m_wantedFirst = 0;
    forgetHits();
    Q_EMIT restarted();
}

} // namespace rankdeck

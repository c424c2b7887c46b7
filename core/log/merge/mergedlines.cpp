#include "log/merge/mergedlines.h"

#include "log/line/ansidecoder.h"

namespace rankdeck
{

constexpr qint64 activityMs = 1000;
constexpr qint64 announceMs = 100;
constexpr int searchSliceLines = 20000;
/// Bytes for the blocks of all logs together, and the least for one log.
constexpr qint64 allBlocksBytes = 8 * 1024 * 1024;
constexpr qint64 leastBlockBytes = 4 * 1024;
/// From LogMerge::manyLogs on, since each look asks for the size of each.
constexpr std::chrono::milliseconds seldomLookInterval{1000};

MergedLines::MergedLines(MergedSpec spec)
    : m_spec(std::move(spec))
    , m_blockBytes(std::clamp(allBlocksBytes / std::max<qint64>(1, qint64(m_spec.logs.size())),
                              leastBlockBytes, LineBlock::blockBytes))
{
    for (const MergedSpec::Log &log : m_spec.logs) {
        m_logs.push_back({std::make_unique<LogFile>(log.path), LineBlock(m_blockBytes)});
        m_logs.back().file->setLimit(log.limit);
    }
    begin();
}

QStringList MergedLines::paths() const
{
    return listOf(m_spec.logs, &MergedSpec::Log::path);
}

void MergedLines::start()
{
    if (std::exchange(m_isOver, false))
        begin(); // The logs have not finished after all.
    m_isFinishing = false;
    startPolling(m_logs.size() < LogMerge::manyLogs ? lookInterval : seldomLookInterval);
    look();
}

void MergedLines::finish()
{
    m_isFinishing = true;
    if (m_isOver && hasGrown()) { // The log was fetched from another node since.
        m_isOver = false;
        begin();
        Q_EMIT restarted();
    }
    look();
}

void MergedLines::requestWhole(LineNumber line)
{
    if (line.value < 0 || line.value >= lineCount()) {
        Q_EMIT wholeLine(line, {}, true);
        return;
    }
    const QByteArrayView text = beginningOf(line.value);
    Q_EMIT wholeLine(line, text.toByteArray(), text.size() < LineBlock::blockBytes);
}

/// Returns none if the pattern cannot be understood.
static std::optional<LogFilter> linesWith(const LogPattern &pattern)
{
    const auto filter = LogFilter::create({{{pattern}}, LogSeverity::None, {}});
    return filter ? std::optional(*filter) : std::nullopt;
}

void MergedLines::find(const LogPattern &pattern, LineNumber from, bool backward)
{
    cancelSearch();
    if (pattern.text.isEmpty())
        return;
    if (const auto text = linesWith(pattern))
        search(*text, from.value, backward);
    else
        Q_EMIT notFound();
}

void MergedLines::findError(LineNumber from, bool backward)
{
    cancelSearch();
    search({}, from.value, backward);
}

void MergedLines::findTime(LogTime time)
{
    cancelSearch();
    qint64 line = m_index->lineBefore(time);
    const qint64 end = std::min(lineCount(), line + MergedIndex::linesPerTime);
    const auto isLater = [&](qint64 each) {
        const auto said = readLogLineHead(beginningOf(each)).time;
        return said && *said >= time;
    };
    while (line < end && !isLater(line))
        ++line;
    if (lineCount() == 0)
        Q_EMIT notFound();
    else
        Q_EMIT found(LineNumber(std::min(line, lineCount() - 1)));
}

void MergedLines::findOrigin(int log, LineNumber line)
{
    cancelSearch();
    m_place = Place{log, line, 0};
    look(); // The line may have come since the last look.
    findPlace();
}

/// Returns the first line, from this one on, at or behind a place of this log; lineCount() if there is none.
qint64 MergedLines::nextOf(int log, ByteOffset place, qint64 line) const
{
    const LineIndex &lines = m_index->lines();
    const auto isBehind = [&](const LineIndex::Line &at) {
        return at.log == log && at.begin >= place;
    };
    while (line < lines.size() && !isBehind(lines.at(line)))
        ++line;
    return line;
}

/// Answers findOrigin(), now or once the log was read that far.
void MergedLines::findPlace()
{
    if (!m_place)
        return;
    const auto log = std::size_t(m_place->log); // One that is not there may be negative.
    const LogFile *const file = log < m_logs.size() ? m_logs[log].file.get() : nullptr;
    if (file && m_place->line.value >= 0 && m_place->line.value < file->totalLines()) {
        m_place->next = nextOf(m_place->log, file->beginOf(m_place->line), m_place->next);
        if (m_place->next < lineCount()) {
            const LineNumber line(m_place->next);
            m_place.reset();
            Q_EMIT found(line);
            return;
        }
    }
    if (m_hasMore)
        return;
    m_place.reset();
    Q_EMIT notFound();
}

void MergedLines::setMarks(int log, const QList<LogMark> &marks)
{
    std::erase_if(m_marks, [log](const Mark &each) { return each.log == log; });
    for (const LogMark &mark : marks)
        m_marks.push_back({log, mark, 0});
    Q_EMIT marked();
    sendTail();
}

/// Returns the marks whose places were read, in the order of the lines.
QList<LogMark> MergedLines::placedMarks()
{
    QList<LogMark> placed;
    for (Mark &each : m_marks) {
        each.next = nextOf(each.log, each.mark.offset, each.next);
        if (each.next == lineCount() &&
            (m_hasMore || m_logs[std::size_t(each.log)].file->totalBytes() < each.mark.offset.value))
            continue;
        each.mark.line = LineNumber(each.next);
        placed.append(each.mark);
    }
    std::ranges::stable_sort(placed, {}, &LogMark::line);
    return placed;
}

/// Reports the activity of the files in their present state.
void MergedLines::tellActivity()
{
    if (m_toldActivity.slotCount() > 0)
        Q_EMIT active(m_toldActivity);
}

void MergedLines::begin()
{
    m_index = std::make_unique<MergedIndex>(m_spec);
    forgetBlocks();
    m_announced = 0;
    for (Mark &mark : m_marks)
        mark.next = 0;
    cancelSearch();
    collectAgain();
}

void MergedLines::forgetBlocks()
{
    for (Log &log : m_logs)
        log.block = LineBlock(m_blockBytes);
}

void MergedLines::look()
{
    if (m_isOver)
        return;
    if (!pollFiles()) {
        begin();
        Q_EMIT restarted();
    }
    m_hasMore = m_index->readOn();
    if (!m_hasMore && m_isFinishing) {
        m_index->readRest();
        m_isOver = true;
        stopPolling();
        if (!m_logs.empty() &&
            std::ranges::none_of(m_logs, [](const Log &log) { return log.file->exists(); }))
            report(Error{MergedLines::tr("Log not found."), m_logs.front().file->path(), {}}.sentence());
    }
    announce(!m_hasMore);
    findPlace();
    if (m_hasMore)
        lookSoon();
}

bool MergedLines::hasGrown()
{
    const auto grows = [](const Log &log) {
        const auto growth = log.file->poll();
        return growth && growth->changed;
    };
    return std::ranges::count_if(m_logs, grows) > 0; // All are polled.
}

/// Returns false if a file was cut or replaced, so that the index is wrong.
bool MergedLines::pollFiles()
{
    bool isSame = true;
    QString problem;
    for (Log &log : m_logs) {
        const bool wasThere = log.file->totalBytes() > 0;
        const auto growth = log.file->poll();
        if (m_logs.size() >= LogMerge::manyLogs)
            log.file->release();
        if (!growth && problem.isEmpty())
            problem = growth.error().sentence();
        isSame = isSame && !(growth && growth->restarted && wasThere);
    }
    report(problem);
    return isSame;
}

void MergedLines::announce(bool isUrgent)
{
    const bool isDue = !m_sinceAnnounced.isValid() || m_sinceAnnounced.hasExpired(announceMs);
    if (lineCount() != m_announced && (isUrgent || isDue)) {
        m_announced = lineCount();
        m_sinceAnnounced.start();
        qint64 bytes = 0;
        for (const Log &log : m_logs)
            bytes += log.file->totalBytes();
        Q_EMIT grew(m_announced, bytes, {});
        sendTail();
        collectSoon();
    }
    const bool tells = !m_sinceActivity.isValid() || m_sinceActivity.hasExpired(activityMs) || m_isOver;
    if (tells && m_toldActivity != m_index->activity()) {
        m_sinceActivity.start();
        m_toldActivity = m_index->activity();
        Q_EMIT active(m_toldActivity);
    }
}

/// Returns the visible text of a line with carriage returns: they would overwrite a label before it.
static QByteArray lastWritten(const QByteArray &text)
{
    QByteArray shown = text;
    for (qsizetype at = shown.lastIndexOf('\r'); at >= 0; at = shown.lastIndexOf('\r')) {
        const QByteArray last = shown.mid(at + 1);
        if (!AnsiDecoder::plainText(last).trimmed().isEmpty())
            return last;
        shown.truncate(at);
    }
    return shown;
}

LogPage MergedLines::read(LineNumber first, int count)
{
    const LineIndex &lines = m_index->lines();
    LogPage page;
    page.first = LineNumber(std::max<qint64>(0, first.value));
    page.totalLines = lines.size();
    for (const Log &log : m_logs)
        page.totalBytes += log.file->totalBytes();
    const qint64 end = std::min(page.first.value + std::max(0, count), lines.size());
    page.atEnd = end == lines.size();
    page.marks = placedMarks();
    std::optional<LogTime> last;
    for (qint64 line = page.first.value; line < end; ++line) {
        const LineIndex::Line at = lines.at(line);
        Log &log = m_logs[std::size_t(at.log)];
        const QByteArray label = m_index->labelOf(line);
        const QByteArray text = textOf(log, at.begin);
        if (const auto time = readLogLineHead(text).time)
            last = time;
        page.lines.append(label.isEmpty() ? text : label + lastWritten(text));
        page.origins.append(
            {at.log, numberOf(log, at.begin), int(label.size()), m_spec.logs[std::size_t(at.log)].isError});
        page.said.append({at.severity, last, LogLineReader::Source::Head});
    }
    if (m_logs.size() >= LogMerge::manyLogs)
        forgetBlocks();
    return page;
}

QByteArray MergedLines::textOf(Log &log, ByteOffset begin)
{
    const QByteArrayView text = log.block.line(*log.file, begin);
    if (text.size() <= maxShownLineBytes)
        return text.toByteArray();
    const LogPage page = log.file->read(numberOf(log, begin), 1); // Cut, and its length said.
    return page.lines.isEmpty() ? QByteArray() : page.lines.first();
}

LineNumber MergedLines::numberOf(Log &log, ByteOffset begin) const
{
    // The merge may be ahead in a large file.
    while (log.file->totalBytes() <= begin.value) {
        const auto growth = log.file->poll();
        if (!growth || !growth->changed)
            break;
    }
    if (m_logs.size() >= LogMerge::manyLogs)
        log.file->release();
    return log.file->lineOf(begin);
}

void MergedLines::cancelSearch()
{
    stopSearching();
    if (std::exchange(m_current, std::nullopt))
        Q_EMIT notFound();
    if (std::exchange(m_place, std::nullopt))
        Q_EMIT notFound();
}

void MergedLines::search(std::optional<LogFilter> text, qint64 from, bool backward)
{
    const qint64 last = lineCount() - 1;
    const qint64 first = backward ? std::min(from, last) : std::max<qint64>(0, from);
    m_current = Search{std::move(text), first, backward, 0, backward ? first + 1 : last - first + 1};
    startSearching();
}

void MergedLines::continueSearch()
{
    for (int left = searchSliceLines; left > 0; --left) {
        const bool isOver = m_current->done >= m_current->most;
        const qint64 line = m_current->next;
        if (isOver || isWanted(line)) {
            m_current.reset();
            stopSearching();
            isOver ? Q_EMIT notFound() : Q_EMIT found(LineNumber(line));
            return;
        }
        ++m_current->done;
        m_current->next += m_current->backward ? -1 : 1;
    }
    tellProgress(int(100 * m_current->done / m_current->most));
}

bool MergedLines::isWanted(qint64 line)
{
    return m_current->text ? m_current->text->wants(beginningOf(line), {})
                           : m_index->lines().at(line).beginsError;
}

/// Returns at most LineBlock::blockBytes, until the next call.
QByteArrayView MergedLines::beginningOf(qint64 line)
{
    const LineIndex::Line at = m_index->lines().at(line);
    Log &log = m_logs[std::size_t(at.log)];
    return log.block.line(*log.file, at.begin);
}

bool MergedLines::beginCollecting(const LogPattern &pattern)
{
    m_collectFilter = linesWith(pattern);
    m_collectFrom = 0;
    return m_collectFilter.has_value();
}

bool MergedLines::collectOn(QList<qint64> &lines)
{
    const qint64 end = std::min(lineCount(), m_collectFrom + searchSliceLines);
    for (; m_collectFrom < end; ++m_collectFrom) {
        if (m_collectFilter->wants(beginningOf(m_collectFrom), {}))
            lines.append(m_collectFrom);
    }
    return m_collectFrom < lineCount();
}

} // namespace rankdeck

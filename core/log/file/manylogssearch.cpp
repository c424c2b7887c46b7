#include "log/file/manylogssearch.h"

#include "log/file/loglines.h"
#include "log/line/ansidecoder.h"

namespace rankdeck
{

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

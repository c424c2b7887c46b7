#pragma once

#include "log/file/logfile.h"
#include "log/line/loglinereader.h"
#include "log/line/logmatcher.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankdeck
{

/// Finds lines for a LogSearch.
class LineFinder
{
public:
    virtual ~LineFinder() = default;

    /// Starts again: the next lines do not follow the last ones.
    virtual void begin() {}
    /// Sets the lines to search, separated by '\n'. They stay valid until the next call.
    virtual void enter(QByteArrayView lines) = 0;
    /// Returns a place in the first matching line at or behind `from`, the begin of a line, never less.
    virtual std::optional<qsizetype> next(qsizetype from) = 0;
};

/// Finds lines that match a pattern, as they are shown.
class PatternFinder : public LineFinder
{
public:
    explicit PatternFinder(LogMatcher matcher)
        : m_matcher(std::move(matcher))
    {
    }

    void enter(QByteArrayView lines) override;
    std::optional<qsizetype> next(qsizetype from) override;

private:
    bool isInLine(QByteArrayView line) const;

    LogMatcher m_matcher;
    QByteArrayView m_lines;
    bool m_allAtOnce = false;
    bool m_isNowhere = false;
};

/// Finds lines where an error begins: of severity Error or worse by their own head, or of a traceback.
class ErrorFinder : public LineFinder
{
public:
    void begin() override { m_reader = LogLineReader(); }
    void enter(QByteArrayView lines) override;
    std::optional<qsizetype> next(qsizetype from) override;

private:
    LogLineReader m_reader;
    QByteArrayView m_lines;
    qsizetype m_at = 0;
};

class LogFile;

/// Returns the first line that is not before `time`, by its own stamp or the last one before it; nothing if
/// the log ends before or has no stamps. Assumes the log is ordered by time: reads about 64 KiB for each
/// doubling of its size. Where several MB have no stamp it may find an earlier line.
std::optional<LineNumber> lineAtTime(const LogFile &file, LogTime time);

/// One search through a LogFile, done in steps so that its thread stays free. Also finds matches behind the
/// shown part of a long line; one of more than 4 KiB in a line of more than 1 MiB may be missed.
class LogSearch
{
public:
    enum class State { Running, Found, NotFound };

    /// Searches from line `from`, itself included, to the end or the start of `file` as it is now.
    LogSearch(const LogFile &file, std::unique_ptr<LineFinder> finder, LineNumber from, bool backward);

    /// Reads about `budget` bytes more. `file` must be the one given first, not cut since.
    /// @param all takes the numbers of all lines that match, in their order; the search ends with NotFound at
    /// the end of `file`. Null: the search ends at the first. Only for a search towards the end.
    State step(const LogFile &file, qint64 budget, QList<qint64> *all = nullptr);
    /// The line found.
    LineNumber line() const { return m_match.value_or(LineNumber()); }
    int progress() const; ///< Percent.

private:
    bool enterStretch(const LogFile &file);
    void searchLines(QByteArrayView lines, QList<qint64> *all);
    bool inRange(qint64 line) const { return m_backward ? line <= m_from.value : line >= m_from.value; }

    std::unique_ptr<LineFinder> m_finder;
    bool m_backward;
    LineNumber m_from;
    int m_stretch;
    int m_lastStretch;
    qint64 m_at = 0;
    qint64 m_end = 0;
    qint64 m_line = 0;    ///< Line number of the first byte of m_pending.
    QByteArray m_pending; ///< Read, but its line is not whole yet.
    qint64 m_searched = 0;
    qint64 m_toSearch = 0;
    std::optional<LineNumber> m_match;
};

/// Matches in one of several logs.
struct LogHits {
    struct Line {
        LineNumber line;
        QString text; ///< Plain, at most 300 characters.
    };

    int log = 0;       ///< Index among those that are searched.
    qint64 count = 0;  ///< Matching lines.
    QList<Line> lines; ///< The first ManyLogsSearch::mostLines of them.
};

/// Searches many logs in their present state, one after the other, from the first. Lives in a thread of its
/// own; deleting it there stops the search. A log that is missing or cannot be read has no matches.
class ManyLogsSearch : public QObject
{
    Q_OBJECT

public:
    static constexpr int mostLines = 500;

    struct Log {
        QString path;
        LogLimit limit; ///< Null: the whole log.
    };

    ManyLogsSearch(QList<Log> logs, LogMatcher matcher);

    void start() { m_step.start(0); }

Q_SIGNALS:
    /// Matches found since the last time, in the order of the logs, and how many logs have been searched.
    void progressed(const QList<rankdeck::LogHits> &hits, int searched);
    /// Follows the last progressed().
    void finished();

private:
    void goOn();
    void searchOn();
    void take();

    QList<Log> m_all;
    LogMatcher m_matcher;
    QTimer m_step;
    int m_log = 0;
    std::unique_ptr<LogFile> m_file; ///< The one that is searched.
    std::optional<LogSearch> m_search;
    QList<qint64> m_lines;
    QList<LogHits> m_hits; ///< Hits that are not reported yet.
    QElapsedTimer m_sinceTold;
};

} // namespace rankdeck

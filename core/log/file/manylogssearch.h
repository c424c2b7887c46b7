#pragma once

#include "log/file/logfile.h"
#include "log/file/logsearch.h"

#include <QElapsedTimer>
#include <QTimer>

namespace rankdeck
{

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

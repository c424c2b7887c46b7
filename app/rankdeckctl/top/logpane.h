#pragma once

#include "background/iothread.h"
#include "log/merge/mergedlines.h"
#include "rankdeckctl/top/rankrows.h"

namespace rankdeck
{

/// The logs and lines to show.
struct LogChoice {
    int process = -1;     ///< By index in the plan; -1: all, merged.
    QString pattern = {}; ///< Only lines that match; empty: all.
    LogSeverity least = LogSeverity::None;
    bool isFolded = false; ///< Lines that several ranks print alike appear once; only for a merged view.

    /// Returns the choice after a key; nothing for other keys.
    /// @param chosen the process to show alone after a view of all.
    std::optional<LogChoice> changedBy(QChar letter, int chosen) const;
    bool operator==(const LogChoice &) const = default;
};

/// The lines that are shown of one log or of all, and where in them the screen is.
class LogPane : public QObject
{
    Q_OBJECT

public:
    /// Returns how much of a log of a process, or of its standard error, is to be shown.
    using LimitOf = std::function<LogLimit(int process, bool isError)>;

    /// Fails if the pattern is not a regular expression, and keeps the present lines.
    /// @param limitOf null: all of each log.
    std::optional<Error> open(const RunState &state, const LogChoice &choice, const LimitOf &limitOf = {});
    /// Reads to the end: the logs do not grow any more.
    void finish();

    const LogChoice &choice() const { return m_choice; }
    /// Returns a title and this many lines of the log.
    QList<ScreenLine> lines(const RunSnapshot &run, int cells, int rows);

    void turnPage(int pages) { scroll(pages * std::max(1, m_rows - 1)); }
    void toStart() { scroll(-m_page.totalLines); }
    /// Shows what stands further left or right in long lines.
    void moveSideways(int columns) { m_column = std::max(0, m_column + columns); }
    /// Goes to the end, and stays there as the log grows.
    void follow();

Q_SIGNALS:
    void changed();

private:
    ScreenLine title(const RunSnapshot &run, int cells) const;
    void setRows(int rows);
    void scroll(qint64 lines);
    void takePage(const LogPage &page);
    void request(LineNumber first);
    static MergedSpec::Log mergedLog(const RunState &state, const QString &folder, int process, bool isError);

    IoThread m_thread{u"logs"_s}; ///< Outlives what lives in it.
    LogChoice m_choice;
    RemoteOwner<LogLines> m_lines;
    LogPage m_page;
    QString m_problem;  ///< Why nothing can be read; empty: it can.
    LineNumber m_first; ///< The first line that is shown, unless m_isFollowing.
    int m_rows = 0;
    int m_column = 0; ///< The first cell of lines that is shown.
    bool m_isFollowing = true;
};

} // namespace rankdeck

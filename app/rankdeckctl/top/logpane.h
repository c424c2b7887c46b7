#pragma once

#include "background/iothread.h"
#include "log/merge/mergedlines.h"
#include "run/record/runstate.h"

namespace rankdeck
{

/// Which lines of which logs are shown.
struct LogChoice {
    int process = -1;     ///< By index in the plan; -1: all, merged.
    QString pattern = {}; ///< Only lines that match; empty: all.
    LogSeverity least = LogSeverity::None;
    bool isFolded = false; ///< What several ranks print alike once; only merged.

    bool operator==(const LogChoice &) const = default;
};

/// The lines that are shown of one log or of all, and where in them the screen is.
class LogPane : public QObject
{
    Q_OBJECT

public:
    /// Returns how much of a log of a process, or of its standard error, is to be shown.
    using LimitOf = std::function<LogLimit(int process, bool isError)>;

    /// Fails if the pattern is no regular expression, and goes on with what is shown.
    /// @param limitOf null: all of each log.
    std::optional<Error> open(const RunState &state, const LogChoice &choice, const LimitOf &limitOf = {});
    /// Reads to the end: the logs do not grow any more.
    void finish();

    const LogChoice &choice() const { return m_choice; }
    const LogPage &page() const { return m_page; }
    /// Why nothing can be read; empty: it can.
    const QString &problem() const { return m_problem; }
    bool isFollowing() const { return m_isFollowing; }

    void setRows(int rows);
    void scroll(qint64 lines);
    void toStart() { scroll(-m_page.totalLines); }
    void follow();

Q_SIGNALS:
    void changed();

private:
    void takePage(const LogPage &page);
    void request(LineNumber first);
    static MergedSpec::Log mergedLog(const RunState &state, int process, bool isError);

    IoThread m_thread{QStringLiteral("logs")}; ///< Outlives what lives in it.
    LogChoice m_choice;
    RemoteOwner<LogLines> m_lines;
    LogPage m_page;
    QString m_problem;
    LineNumber m_first; ///< The first line that is shown, unless m_isFollowing.
    int m_rows = 0;
    bool m_isFollowing = true;
};

} // namespace rankdeck

#pragma once

#include "log/line/loglinereader.h"
#include "log/line/logmatcher.h"

#include <vector>

namespace rankdeck
{

/// Which lines are wanted; by default all.
struct LogFilterSpec {
    /// A line must match at least one pattern of every list; any nesting of and, or and not can be written
    /// this way.
    std::vector<std::vector<LogPattern>> patterns;
    LogSeverity leastSeverity = LogSeverity::None; ///< With one, lines that have none are not wanted.
    std::optional<LogTime> since;                  ///< With one, lines that have no time are not wanted.

    bool operator==(const LogFilterSpec &) const = default;
};

/// Tells whether a line is wanted, in time that grows with its length alone whatever the patterns are (RE2).
/// Patterns are compared with the line as it is shown, escapes removed. Cheap to copy; any thread may use it.
class LogFilter
{
public:
    /// Wants all lines.
    LogFilter();
    /// Error: a pattern that is no regular expression, named in `where`, or that is empty.
    static Result<LogFilter> create(const LogFilterSpec &spec);
    /// Returns a filter for the lines that both want.
    static LogFilter both(const LogFilter &one, const LogFilter &other);

    bool wants(QByteArrayView line, const LogLineReader::Line &said) const;
    /// Returns true if every line is wanted.
    bool isEmpty() const;
    /// Returns true if wants() depends on the severity or time of a line.
    bool needsHeads() const;

private:
    struct Content;
    std::shared_ptr<const Content> m_content;
};

/// Parses a severity: debug, info, warning (warn), error or critical, in any case.
Result<LogSeverity> severityNamed(const QString &name);

/// Parses a time: "2024-12-26 14:22[:26]", "2024-12-26", "14:22[:26]" of today, or an age, "90s", "10m",
/// "2h", "1d". `now` is the present.
Result<LogTime> timeGiven(const QString &text, const QDateTime &now);

} // namespace rankdeck

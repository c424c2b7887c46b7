#pragma once

#include "log/line/loglinereader.h"
#include "log/line/logmatcher.h"

#include <vector>

namespace rankdeck
{

/// The lines to show; all by default.
struct LogFilterSpec {
    /// A line must match at least one pattern of every list: any nesting of and, or and not fits.
    std::vector<std::vector<LogPattern>> patterns;
    LogSeverity leastSeverity = LogSeverity::None; ///< With one, lines that have none are not wanted.
    std::optional<LogTime> since;                  ///< With one, lines that have no time are not wanted.

    bool operator==(const LogFilterSpec &) const = default;
};

/// Decides whether a line is shown, in time that grows only with the line's length, for any patterns (RE2).
/// Compares patterns with the line as it is shown, without escapes. Cheap to copy; any thread may use it.
class LogFilter
{
public:
    /// Makes a filter that all lines pass.
    LogFilter();
    /// Fails if a pattern is empty or not a regular expression; names it in `where`.
    static Result<LogFilter> create(const LogFilterSpec &spec);
    /// Returns a filter for the lines that both want.
    static LogFilter both(const LogFilter &one, const LogFilter &other);

    bool wants(QByteArrayView line, const LogLineReader::Line &said) const;
    /// Returns true if every line passes.
    bool isEmpty() const;
    /// Returns true if wants() depends on the severity or time of a line.
    bool needsHeads() const;

private:
    struct Content;
    std::shared_ptr<const Content> m_content;
};

/// Parses a severity: debug, info, warning (warn), error or critical, in any case.
Result<LogSeverity> severityNamed(const QString &name);

/// Parses "2024-12-26 14:22[:26]", "2024-12-26", "14:22[:26]" of today, or an age before `now`, "90s", "10m".
Result<LogTime> timeGiven(const QString &text, const QDateTime &now);

} // namespace rankdeck

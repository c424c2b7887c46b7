#pragma once

#include "base/result.h"

#include <memory>

namespace rankdeck
{

/// A pattern to look for in a line.
struct LogPattern {
    QString text;
    bool isRegex = true; ///< RE2 syntax; else the text itself.
    bool caseSensitive = true;
    bool isNegated = false; ///< Lines without it.

    bool operator==(const LogPattern &) const = default;
};

/// A compiled LogPattern. Searches in linear time for any pattern (RE2). Compares with UTF-8 as it is shown,
/// without escapes, see isShownAsItIs(). Ignores LogPattern::isNegated. Cheap to copy; any thread may use it.
class LogMatcher
{
public:
    /// Bytes of the searched text, end excluded.
    struct Range {
        qsizetype begin = 0;
        qsizetype end = 0;
    };

    /// Fails if the pattern is empty or not a regular expression, named in `where`.
    static Result<LogMatcher> create(const LogPattern &pattern);

    /// Returns a regular expression that matches `text` itself.
    static QString quoted(const QString &text);

    bool isIn(QByteArrayView line) const;
    /// Returns all non-empty matches in a line, from left to right.
    QList<Range> matches(QByteArrayView line) const;

    /// Returns true if firstIn() may be given several lines at once; false for a few regular expressions.
    bool takesManyLines() const;
    /// Returns where the first match lies in lines separated by '\n', from `from` on, which begins a line; a
    /// match never crosses lines. Fast if the pattern requires a word of three letters that is missing.
    std::optional<qsizetype> firstIn(QByteArrayView lines, qsizetype from) const;
    /// Returns false if firstIn() finds nothing in these lines; quicker than firstIn().
    bool mayBeIn(QByteArrayView lines) const;

private:
    struct Content;
    std::shared_ptr<const Content> m_content;
};

/// Returns true if these bytes are shown unchanged: valid UTF-8 without control characters except line ends.
bool isShownAsItIs(QByteArrayView bytes);

} // namespace rankdeck

#pragma once

#include "log/logpattern.h"
#include "result.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <memory>
#include <optional>

namespace rankdeck
{

/// A LogPattern made ready to be looked for, in time that grows with the text alone whatever the pattern is
/// (RE2). Compares with UTF-8 as it is shown: without escapes, see isShownAsItIs(). Whether the pattern is
/// negated is its user's business. Cheap to copy; any thread may use it.
class LogMatcher
{
public:
    /// Bytes of what was looked at, the last one excluded.
    struct Range {
        qsizetype begin = 0;
        qsizetype end = 0;
    };

    /// Error: an empty pattern, or one that is no regular expression, named in `where`.
    static Result<LogMatcher> create(const LogPattern &pattern);

    bool isIn(QByteArrayView line) const;
    /// Where it is in a line, from left to right; no empty ones.
    QList<Range> matches(QByteArrayView line) const;

    /// Whether firstIn() may be given several lines at once; few regular expressions cannot be looked for
    /// so.
    bool takesManyLines() const;
    /// Where the first line with a match at or behind `from` is matched, in lines separated by '\n' of which
    /// `from` begins one; no match reaches across lines. Fast where the pattern has a word of three letters
    /// that must be there and is not.
    std::optional<qsizetype> firstIn(QByteArrayView lines, qsizetype from) const;
    /// False: firstIn() finds nothing in these lines. Quicker than that.
    bool mayBeIn(QByteArrayView lines) const;

private:
    struct Content;
    std::shared_ptr<const Content> m_content;
};

/// Whether the text that is shown for these bytes is these bytes: valid UTF-8 without control characters but
/// line ends.
bool isShownAsItIs(QByteArrayView bytes);

} // namespace rankdeck

#pragma once

#include <QString>

namespace rankdeck
{

/// What to look for in a line.
struct LogPattern {
    QString text;
    bool isRegex = true; ///< RE2 syntax; else the text itself.
    bool caseSensitive = true;
    bool isNegated = false; ///< Lines without it.

    bool operator==(const LogPattern &) const = default;
};

} // namespace rankdeck

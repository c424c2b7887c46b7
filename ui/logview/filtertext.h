#pragma once

#include "log/logfilter.h"

#include <QString>

namespace rankdeck
{

/// What the user writes to say which lines are wanted: patterns joined by " && " (all of them) and, binding
/// closer, " || " (one of them); "!" before a pattern is for lines without it. "a || b && !c": lines with a
/// or b, and without c. Empty text wants all lines.
std::vector<std::vector<LogPattern>> patternsIn(const QString &text, bool isRegex, bool caseSensitive);

} // namespace rankdeck

#pragma once

#include "ranktable/finding.h"

namespace rankdeck
{

/// "Error", "Warning" or "Note", as the window shows it.
QString severityWord(Severity severity);
/// "1 error", "3 warnings": so many findings of this severity.
QString countWords(Severity severity, int count);
/// "2 errors, 1 warning"; "no findings" where there are none.
QString countWords(const Findings &findings);

} // namespace rankdeck

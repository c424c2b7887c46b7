#pragma once

#include "ranktable/table/finding.h"

namespace rankdeck
{

/// "Error", "Warning" or "Note", as the window shows it.
QString severityWord(Severity severity);
/// "1 error", "3 warnings": a number of findings of this severity.
QString countWords(Severity severity, int count);
/// "2 errors, 1 warning"; "no findings" where there are none.
QString countWords(const Findings &findings);

/// Returns a finding in a few lines: what, how to mend it, then its place, rule, code and source.
QString findingDetail(const Finding &finding);
/// "line 12: device_ip …"; without the line if the finding is about the whole file.
QString findingLine(const Finding &finding);

} // namespace rankdeck

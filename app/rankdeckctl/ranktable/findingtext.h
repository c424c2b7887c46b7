#pragma once

#include "ranktable/finding.h"

namespace rankdeck
{

/// "FILE:LINE:COLUMN: error: WHAT MEND [EI0014] (rule)", as compilers write it and editors understand it.
QString findingLine(const QString &file, const Finding &finding);

/// "2 errors, 1 warning", or "no findings".
QString findingsSummary(const Findings &findings);

} // namespace rankdeck

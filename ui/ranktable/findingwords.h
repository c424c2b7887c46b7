#pragma once

#include "ranktable/finding.h"

namespace rankdeck
{

/// All of a finding, in a few lines: what, how to mend it, then its place, rule, code and source.
QString findingDetail(const Finding &finding);
/// "line 12: device_ip …", or without the line where it speaks of the whole file.
QString findingLine(const Finding &finding);

} // namespace rankdeck

#pragma once

#include "log/merge/logmerge.h"

namespace rankdeck
{

/// Returns the clock of a log without stamps, from the growth marks beside it.
LogMerge::Growth growthClock(const QString &marks);

} // namespace rankdeck

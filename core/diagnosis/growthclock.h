#pragma once

#include "log/logmerge.h"

#include <QString>

namespace rankdeck
{

/// The clock of a log without stamps: when it had grown how far, by the marks beside it.
/// @param marks marksFile(); it may appear later.
LogMerge::Growth growthClock(const QString &marks);

} // namespace rankdeck

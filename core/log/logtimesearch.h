#pragma once

#include "log/loglinehead.h"
#include "log/logtypes.h"

#include <optional>

namespace rankdeck
{

class LogFile;

/// The first line of a log that is not before `time`, by its own stamp or the last one before it; none where
/// the log ends before or has no stamps. Takes the log for ordered by time: reads about 64 KiB for each
/// doubling of its size. Where stretches of several MB have no stamp it may find a line before them instead.
std::optional<LineNumber> lineAtTime(const LogFile &file, LogTime time);

} // namespace rankdeck

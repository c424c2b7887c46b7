#pragma once

#include "log/line/loglinereader.h"

namespace rankdeck
{

/// The stamps of a log's first and last dated lines.
struct LogSpan {
    LogTime first;
    LogTime last;
};

/// Returns the stamps of a log in its first and its last 256 KiB; nothing without stamps there.
std::optional<LogSpan> logSpan(const QString &path);

/// Returns where the first line begins that is stamped after `time`: the length of the log at that time, by
/// its stamps. Its whole size if there is no such line; nothing if the log has no stamps, or cannot be read.
/// Expects the log to be ordered by time, and reads 64 KiB for each doubling of its size.
std::optional<qint64> bytesUntil(const QString &path, LogTime time);

} // namespace rankdeck

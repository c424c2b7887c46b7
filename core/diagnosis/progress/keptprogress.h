#pragma once

#include "diagnosis/progress/rankprogress.h"

#include <array>

namespace rankdeck
{

struct LaunchPlan;

/// What is known of the progress of one process once a part of its logs was read.
struct KnownProgress {
    /// A log, and what its reader knew of its lines.
    struct Stream {
        qint64 size = 0;         ///< Bytes that were read.
        qint64 unfinished = 0;   ///< Of these, bytes of a line that had not ended.
        bool isBarTaken = false; ///< The line that had not ended is a bar, and counts already.
        LogLineReader lines;
        QByteArray print; ///< logPrint() of the bytes that were read.
    };
    std::array<Stream, 2> streams; ///< The log, and standard error if that has a file of its own.
    ProgressTracker tracker;
};

/// Returns the folder with the progress that is kept of an attempt's logs: progress in the run directory,
/// progress/attempt_<n> with restarts.
QString progressFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt);

/// Returns a fingerprint of the first `size` bytes of a log, made of a KiB at their beginning and one at
/// their end: a log that was cut, replaced or written again has another one. Empty if the file is shorter or
/// cannot be read.
QByteArray logPrint(const QString &path, qint64 size);

/// Writes what is known of a process into <folder>/<process>, whole or not at all, for its owner alone.
/// Whoever reads the file trusts nothing in it. Returns false if it cannot be written.
/// @param pattern ProgressReader::pattern() of who has read the lines.
bool keepProgress(const QString &folder, int process, KnownProgress &known, const QByteArray &pattern);

/// Reads it again. Nothing if there is none, or if it is damaged, of another version of Rankdeck, read with
/// another pattern or for curves with another number of buckets. Whether the logs are still the same is for
/// the caller to compare.
std::optional<KnownProgress> keptProgress(const QString &folder, int process, const QByteArray &pattern,
                                          int mostBuckets);

} // namespace rankdeck

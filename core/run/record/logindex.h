#pragma once

#include "run/record/runrecord.h"

namespace rankdeck
{

// A log directory of the user's may hold the logs of many runs. The index in it, logIndexName, says which is
// whose: a line for each run, oldest first, of fields that tabs separate: the start (local time, ISO 8601
// with its offset), the run, its launcher, and its logs, relative to the directory. The first line names the
// fields.

inline constexpr char logIndexName[] = "rankdeck-runs.tsv";

/// A run as the index has it.
struct IndexedRun {
    QDateTime start;
    QString name;
    QString launcher;
    QStringList logs;

    bool operator==(const IndexedRun &) const = default;
};

/// Appends the run to the index of each directory, except the run's own one, where processes that it starts
/// write logs seen from here; in one write each, so that runs that start at the same time do not mix.
/// Directories with the logs of one run only get none: those that must be empty for a launch, as torch wants
/// them, and those whose logs a launch overwrites, as msrun does. Fails if an index cannot be written.
std::optional<Error> indexLogs(const RunRecord &record, const QString &runDirectory);

/// Returns the last runs in the index of a directory, oldest first; none if it has no index. Lines that are
/// not of that form are passed over.
QList<IndexedRun> indexedRuns(const QString &logDirectory);

} // namespace rankdeck

#pragma once

#include "device/history/historyfile.h"
#include "run/samples/nodesample.h"

namespace rankdeck
{

/// The values of a TreeLoad that are recorded, for plots over the time of a run.
struct LoadPoint {
    std::optional<int> cpuPercent; ///< Percent of one core.
    std::optional<qint64> residentMb;
    std::optional<double> readMbPerSecond; ///< Rounded to 0.1, as is writtenMbPerSecond.
    std::optional<double> writtenMbPerSecond;
    std::optional<int> processes;

    bool operator==(const LoadPoint &) const = default;
    static LoadPoint of(const TreeLoad &load);
};

struct LoadMoment {
    QDateTime time;          ///< UTC, to the millisecond.
    qsizetype processes = 0; ///< Index into LoadHistory::processes.
    QList<LoadPoint> points; ///< Parallel to those processes.
};

/// The history of the process trees of a node's ranks, from a HistoryFile. MB are 1,048,576 bytes.
struct LoadHistory {
    /// The sets of processes that ran, one after the other, each by index in LaunchPlan::processes.
    QList<QList<int>> processes;
    QList<LoadMoment> moments; ///< In the order of the file; clocks may have been set back.

    /// Reads all whole lines. Fails if there is no such file, or it is not a history of processes.
    static Result<LoadHistory> read(const QString &path);
    /// The same for a file's text. Returns nothing if it is not such a history.
    static std::optional<LoadHistory> from(QByteArrayView text);

    /// Returns "cpu_percent,…", and the values of a point, with commas between them; absent ones are empty.
    static QByteArray csvHeading();
    static QByteArray csvValues(const LoadPoint &point);
};

/// Writes a LoadHistory. Blocks as HistoryFile does.
class LoadHistoryWriter
{
public:
    /// @param path of the file; continued if it exists.
    explicit LoadHistoryWriter(const QString &path, qint64 limit = HistoryFile::usualLimit);

    /// Ignores a sample without loads. Fails if it cannot be written; the next sample is tried again.
    std::optional<Error> add(const NodeSample &sample);

private:
    HistoryFile m_file;
};

} // namespace rankdeck

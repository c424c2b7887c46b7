#pragma once

#include "device/historyfile.h"
#include "result.h"
#include "run/samples/nodesample.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QDateTime>
#include <QList>
#include <QString>

#include <optional>

namespace rankdeck
{

/// What is kept of a TreeLoad: what a plot over a run's time is made of.
struct LoadPoint {
    std::optional<int> cpuPercent; ///< Of one core.
    std::optional<qint64> residentMb;
    std::optional<double> readMbPerSecond; ///< To 0.1, as is what is written.
    std::optional<double> writtenMbPerSecond;
    std::optional<int> processes;

    bool operator==(const LoadPoint &) const = default;
    static LoadPoint of(const TreeLoad &load);
};

/// A moment of it.
struct LoadMoment {
    QDateTime time;          ///< UTC, to the millisecond.
    qsizetype processes = 0; ///< Index into LoadHistory::processes.
    QList<LoadPoint> points; ///< One for each of those.
};

/// The history of the process trees of a node's ranks, as it is in the run's directory: a HistoryFile about
/// processes. MB are 1,048,576 bytes.
struct LoadHistory {
    /// The sets of processes that ran, one after the other, each by index in LaunchPlan::processes.
    QList<QList<int>> processes;
    QList<LoadMoment> moments; ///< In the order of the file; clocks may have been set back.

    /// Reads what is whole. Error: there is no such file, or it is none of these.
    static Result<LoadHistory> read(const QString &path);
    /// The same of a file's text. Nothing when it is none of these.
    static std::optional<LoadHistory> from(QByteArrayView text);

    /// "time,process,cpu_percent,…" with a heading, a row for each process and moment; what is absent is
    /// empty.
    QByteArray toCsv() const;
    /// The names of a row's values, and these, with commas between them.
    static QByteArray csvHeading();
    static QByteArray csvValues(const LoadPoint &point);
};

/// Writes it. Blocks as HistoryFile does.
class LoadHistoryWriter
{
public:
    /// @param path of a file that may be there already; it is then continued.
    explicit LoadHistoryWriter(const QString &path, qint64 limit = HistoryFile::usualLimit);

    /// Of a sample without loads nothing is kept. Error: it cannot be written. The next sample is tried anew.
    std::optional<Error> add(const NodeSample &sample);

private:
    HistoryFile m_file;
};

} // namespace rankdeck

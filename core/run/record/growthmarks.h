#pragma once

#include "base/tr.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QMap>

#include <array>
#include <optional>
#include <vector>

namespace rankdeck
{

struct LaunchPlan;

/// How far a log had grown at what time.
struct GrowthMark {
    qint64 time = 0; ///< ms since 1970, UTC
    qint64 size = 0; ///< Bytes that the log had then.
};

/// Reads on in a file of marks, of today's form or an older one.
struct MarkReader {
    /// Returns the whole marks at the front of `bytes`, up to the first after `until` (ms since 1970).
    /// @param bytes of the file, from `offset` on; that grows by what was read.
    std::vector<GrowthMark> take(QByteArrayView bytes, qint64 until = INT64_MAX);

    qint64 offset = 0;       ///< Bytes of the file that are read.
    GrowthMark last;         ///< Before them.
    bool areNumbers = false; ///< An older file: pairs of 64-bit numbers, time in ms and size.
};

/// Returns the marks of a file up to the first after `until`, oldest first; nothing if it cannot be read.
std::optional<std::vector<GrowthMark>> growthMarks(const QString &marksFile, qint64 until = INT64_MAX);

/// Returns a file of marks.
/// @param now when it is written, ms since 1970.
QByteArray growthBytes(const std::vector<GrowthMark> &marks, qint64 now = 0);

/// Returns the time at which a log had reached a size, by the marks of GrowthMarks. Reads a few kilobytes at
/// a time, as far as needed, and looks for new marks at most ten times a second.
class GrowthTimes
{
public:
    /// @param file marksFile(); it may appear later.
    explicit GrowthTimes(const QString &file);

    /// Returns the first mark with at least `size` bytes; nothing if there is none yet. Call it with growing
    /// sizes.
    std::optional<GrowthMark> mark(qint64 size);
    /// Returns the time of the first mark with at least `size` bytes, UTC; the last mark's if there is none
    /// yet. Nothing without marks. Call it with growing sizes: a size below the one before gets the same
    /// time.
    std::optional<QDateTime> reached(qint64 size);

private:
    bool readOn();

    QByteArray m_file;    ///< Encoded: a run can have thousands of logs.
    QByteArray m_heading; ///< Its first bytes; thinning writes others.
    MarkReader m_reader;
    std::vector<GrowthMark> m_marks;
    std::size_t m_next = 0;
    std::optional<GrowthMark> m_last;
    QElapsedTimer m_sinceEnd; ///< Since all marks were read.
};

/// Returns the last `most` marks of a file that are not later than `ms` (ms since 1970), oldest first;
/// nothing if the file has no marks at all.
std::optional<std::vector<GrowthMark>> marksUntil(const QString &marksFile, qint64 ms, int most);

/// A place in a log after which lines may be missing, because the disk was full.
struct LogGap {
    qint64 offset = 0; ///< Bytes before it.
    QDateTime since;   ///< UTC.
};

/// Returns the folder with the marks of an attempt's logs: growth in the run directory, growth/attempt_<n>
/// with restarts.
QString growthFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt);

/// Returns the file with the marks of a process's log, or of its standard error if that has a file of its
/// own.
QString marksFile(const QString &growthFolder, int process, bool isError);

/// Returns the gaps of a process's log, or of its standard error if that has a file of its own, in their
/// order.
std::vector<LogGap> logGaps(const QString &growthFolder, int process, bool isError);

/// The end of a file of marks, behind which the next one is written.
struct MarksEnd {
    GrowthMark last;
    qint64 bytes = 0;
};

/// Leaves out marks of a file, so that it stays small however long a run lasts: of those older than an hour
/// it keeps the last of each minute, of those older than a day the last of each ten minutes. A week of a log
/// that always grows by 90 kB a second is 43 kB. The file stays as it is if it cannot be replaced.
/// @param now ms since 1970.
/// @param mayThin false: it only reads the end.
/// @return nothing if no mark can be added: the file cannot be read, or is an old one that was not replaced.
std::optional<MarksEnd> thinMarks(const QString &marksFile, qint64 now, bool mayThin = true);

/// Records how far each log had grown at what time, without touching the logs: this orders the merged view
/// and tells a silent rank from a busy one. One file a process, <index> in the folder, and <index>-stderr
/// where its standard error is apart, thinned from time to time: "marks ", when it was written (ms since
/// 1970, 15 digits), a line feed; then for each mark what it adds to the one before, first to the wall time
/// in units of 10 ms since 1970, then to the size in bytes, each in LEB128 with the sign as its lowest bit.
/// Gaps are pairs of time in ms and size, little-endian signed 64-bit, in <index>-gaps and
/// <index>-stderr-gaps.
class GrowthMarks
{
public:
    /// @param folder made when missing: growthFolder().
    /// @param errorFiles standard error by index of process, where it has a file of its own.
    GrowthMarks(const QString &folder, const QStringList &logFiles,
                const QMap<int, QString> &errorFiles = {});

    /// Reads the size of every log and marks those that grew. A mark that cannot be written, because the disk
    /// is full, is left to the next call.
    /// @return the processes whose logs have grown since the last call, marked or not; one may come twice.
    /// @param now ms since 1970.
    std::vector<int> mark(qint64 now = QDateTime::currentMSecsSinceEpoch());
    /// The file system of `folder` is full: each log on it has a gap now. Written by mark(), as soon as there
    /// is room.
    void markGaps(const QString &folder);

private:
    struct Log {
        QByteArray path;
        QByteArray marks;
        int process = 0;
        std::optional<MarksEnd> end; ///< Of `marks`; nothing before the first mark.
        qint64 seen = 0;             ///< At the last call of mark().
        int added = 0;               ///< Marks since the file was thinned.
    };
    struct Gap {
        QByteArray file;
        std::array<qint64, 2> mark;
    };
    void add(const QString &logFile, int process, bool isError);

    QString m_folder;
    std::vector<Log> m_logs;
    std::vector<Gap> m_gaps; ///< Not written yet.
};

} // namespace rankdeck

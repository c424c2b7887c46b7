#pragma once

#include "launch/launchplan.h"

#include <QDateTime>
#include <QMap>
#include <QString>
#include <QStringList>

#include <array>
#include <vector>

namespace rankdeck
{

/// A place in a log after which lines may be missing, because the disk was full then.
struct LogGap {
    qint64 offset = 0; ///< Bytes before it.
    QDateTime since;   ///< UTC.
};

/// Where the marks of an attempt's logs are: growth in the run directory, growth/attempt_<n> with restarts.
QString growthFolder(const QString &runDirectory, const LaunchPlan &plan, int attempt);

/// The file in the folder that has the marks of a process's log, or of its standard error where that is
/// apart.
QString marksFile(const QString &growthFolder, int process, bool isError);

/// The gaps of a process's log, or of its standard error where that is apart; in their order.
std::vector<LogGap> logGaps(const QString &growthFolder, int process, bool isError);

/// Notes how far each log had grown at what time, beside the logs and without touching them: it orders the
/// merged view and tells a silent rank from a busy one. One file a process, <index> in the folder, and
/// <index>-stderr where its standard error is apart, 16 bytes a mark: wall time in ms since 1970 and size in
/// bytes, both little-endian signed 64-bit. Gaps are such marks too, in <index>-gaps and <index>-stderr-gaps.
class GrowthMarks
{
public:
    /// @param folder made when missing: growthFolder().
    /// @param errorFiles standard error by index of process, where it has a file of its own.
    GrowthMarks(const QString &folder, const QStringList &logFiles,
                const QMap<int, QString> &errorFiles = {});

    /// Look at every log once and mark those that grew since the last look. A mark that cannot be written,
    /// since the disk is full, is left to the next look.
    /// @return the processes whose logs have grown since the last look, marked or not; one may come twice.
    std::vector<int> mark();
    /// The file system of `folder` is full: each log that is on it has a gap now. Written by mark(), as soon
    /// as there is room for it.
    void markGaps(const QString &folder);

private:
    struct Log {
        QByteArray path;
        QByteArray marks;
        int process = 0;
        qint64 size = 0; ///< That is marked.
        qint64 seen = 0; ///< By the last look.
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

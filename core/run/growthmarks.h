#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// Notes how far each log had grown at what time, beside the logs and without touching them: it orders the
/// merged view and tells a silent rank from a busy one. One file a process, <index> in the folder, and
/// <index>-stderr where its standard error is apart, 16 bytes a mark: wall time in ms since 1970 and size in
/// bytes, both little-endian signed 64-bit.
class GrowthMarks
{
public:
    /// @param folder made when missing: growth in the run directory, growth/attempt_<n> with restarts.
    /// @param errorFiles standard error by index of process, where it has a file of its own.
    GrowthMarks(const QString &folder, const QStringList &logFiles,
                const QMap<int, QString> &errorFiles = {});

    /// Look at every log once and mark those that grew since the last look. A mark that cannot be written,
    /// since the disk is full, is left to the next look.
    void mark();

private:
    struct Log {
        QByteArray path;
        QByteArray marks;
        qint64 size = 0;
    };
    void add(const QString &logFile, const QString &name);

    QString m_folder;
    std::vector<Log> m_logs;
};

} // namespace rankdeck

#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// Notes how far each log had grown at what time, beside the logs and without touching them: it orders the
/// merged view and tells a silent rank from a busy one. One file a process, growth/<index> in the run
/// directory, and growth/<index>-stderr where its standard error is apart, 16 bytes a mark: wall time in ms
/// since 1970 and size in bytes, both little-endian signed 64-bit.
class GrowthMarks
{
public:
    /// @param errorFiles standard error by index of process, where it has a file of its own.
    GrowthMarks(const QString &runDirectory, const QStringList &logFiles,
                const QMap<int, QString> &errorFiles = {});

    /// Look at every log once and mark those that grew since the last look.
    void mark();

private:
    struct Log {
        QByteArray path;
        QString marks;
        qint64 size = 0;
    };
    std::vector<Log> m_logs;
};

} // namespace rankdeck

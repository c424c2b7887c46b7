#include "run/growthmarks.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QtEndian>

#include <array>

#include <sys/stat.h>

namespace rankdeck
{

GrowthMarks::GrowthMarks(const QString &folder, const QStringList &logFiles,
                         const QMap<int, QString> &errorFiles)
{
    QDir().mkpath(folder);
    for (qsizetype index = 0; index < logFiles.size(); ++index)
        m_logs.push_back(
            {QFile::encodeName(logFiles[index]), QStringLiteral("%1/%2").arg(folder).arg(index), 0});
    for (auto it = errorFiles.begin(); it != errorFiles.end(); ++it)
        m_logs.push_back(
            {QFile::encodeName(it.value()), QStringLiteral("%1/%2-stderr").arg(folder).arg(it.key()), 0});
}

void GrowthMarks::mark()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (Log &log : m_logs) {
        struct stat info {
        };
        if (stat(log.path.constData(), &info) != 0 || info.st_size == log.size)
            continue;
        log.size = info.st_size;
        const std::array<qint64, 2> mark{qToLittleEndian(now), qToLittleEndian(log.size)};
        QFile marks(log.marks);
        if (marks.open(QIODevice::WriteOnly | QIODevice::Append))
            marks.write(reinterpret_cast<const char *>(mark.data()), sizeof mark);
    }
}

} // namespace rankdeck

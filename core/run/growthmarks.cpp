#include "run/growthmarks.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QtEndian>

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

using Mark = std::array<qint64, 2>;

/// Whole or not at all: half a mark would shift all that come after it.
bool appendMark(const QByteArray &path, const Mark &mark)
{
    const int file = open(path.constData(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return false;
    struct stat info {
    };
    const bool isThere = fstat(file, &info) == 0;
    const off_t end = info.st_size - info.st_size % static_cast<off_t>(sizeof mark);
    const bool isWhole = isThere && pwrite(file, mark.data(), sizeof mark, end) == sizeof mark;
    close(file);
    return isWhole;
}

} // namespace

GrowthMarks::GrowthMarks(const QString &folder, const QStringList &logFiles,
                         const QMap<int, QString> &errorFiles)
    : m_folder(folder)
{
    QDir().mkpath(folder);
    for (qsizetype index = 0; index < logFiles.size(); ++index)
        add(logFiles[index], QString::number(index));
    for (auto it = errorFiles.begin(); it != errorFiles.end(); ++it)
        add(it.value(), QStringLiteral("%1-stderr").arg(it.key()));
}

void GrowthMarks::add(const QString &logFile, const QString &name)
{
    m_logs.push_back({QFile::encodeName(logFile), QFile::encodeName(m_folder + QLatin1Char('/') + name), 0});
}

void GrowthMarks::mark()
{
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    for (Log &log : m_logs) {
        struct stat info {
        };
        if (stat(log.path.constData(), &info) != 0 || info.st_size == log.size)
            continue;
        if (appendMark(log.marks, {qToLittleEndian(now), qToLittleEndian(qint64(info.st_size))}))
            log.size = info.st_size;
        else if (errno == ENOENT)
            QDir().mkpath(m_folder); // For the next look: somebody has removed it.
    }
}

} // namespace rankdeck

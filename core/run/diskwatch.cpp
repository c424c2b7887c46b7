#include "run/diskwatch.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QLocale>

#include <set>

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("DiskWatch", text);
}

QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes, 1);
}

QString timeText(const QDateTime &time)
{
    return time.toLocalTime().toString(QStringLiteral("HH:mm:ss"));
}

QString existingPartOf(const QString &folder)
{
    QFileInfo existing(folder);
    while (!existing.exists() && !existing.isRoot())
        existing.setFile(existing.absolutePath());
    return existing.filePath();
}

} // namespace

DiskWatch::DiskWatch(const QStringList &folders)
{
    std::set<dev_t> known;
    for (const QString &folder : folders) {
        struct stat info {
        };
        if (stat(QFile::encodeName(existingPartOf(folder)).constData(), &info) == 0 &&
            known.insert(info.st_dev).second)
            m_fileSystems.push_back({folder, {}});
    }
}

std::vector<DiskWatch::Change> DiskWatch::look()
{
    std::vector<Change> changes;
    for (FileSystem &fileSystem : m_fileSystems) {
        struct statvfs info {
        };
        if (statvfs(QFile::encodeName(existingPartOf(fileSystem.folder)).constData(), &info) != 0)
            continue;
        const auto blockSize = static_cast<qint64>(info.f_frsize);
        // Some blocks are only root's.
        const auto freeBytes = static_cast<qint64>(getuid() == 0 ? info.f_bfree : info.f_bavail) * blockSize;
        const QString freeText =
            tr("%1 of %2 are free")
                .arg(sizeText(freeBytes), sizeText(static_cast<qint64>(info.f_blocks) * blockSize));
        const QDateTime now = QDateTime::currentDateTimeUtc();
        if (!fileSystem.fullSince.isValid() && freeBytes < fullBytes) {
            fileSystem.fullSince = now;
            changes.push_back({true, fileSystem.folder,
                               tr("The disk is full: %1 on the file system of %2. The run goes on, but what "
                                  "does not fit into its logs is lost.")
                                   .arg(freeText, fileSystem.folder)});
        } else if (fileSystem.fullSince.isValid() && freeBytes >= roomBytes) {
            changes.push_back(
                {false, fileSystem.folder,
                 tr("There is room again on the file system of %1, %2: between %3 and %4 lines "
                    "may be missing in the logs.")
                     .arg(fileSystem.folder, freeText, timeText(fileSystem.fullSince), timeText(now))});
            fileSystem.fullSince = {};
        }
    }
    return changes;
}

} // namespace rankdeck

#include "run/record/runkeeper.h"

#include "base/times.h"
#include "run/record/journal.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>

#include <cerrno>
#include <set>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace rankdeck
{

/// Interval of probes if enough seems free.
constexpr qint64 probeMs = 5000;

static QString sizeText(qint64 bytes)
{
    return QLocale::c().formattedDataSize(bytes, 1);
}

QString existingFolder(const QString &path)
{
    QFileInfo existing(path);
    while (!path.isEmpty() && !existing.exists() && !existing.isRoot())
        existing.setFile(existing.absolutePath());
    return path.isEmpty() ? path : existing.absoluteFilePath();
}

bool leavesNoRoom(int errorNumber)
{
    return errorNumber == ENOSPC || errorNumber == EDQUOT;
}

int takeRoom(const QString &folder, qint64 bytes)
{
    const QByteArray path = QFile::encodeName(existingFolder(folder));
    int file = open(path.constData(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) { // NFS among others.
        QByteArray name = path + "/.rankdeck-XXXXXX";
        file = mkostemp(name.data(), O_CLOEXEC);
        if (file >= 0)
            unlink(name.constData());
    }
    if (file < 0)
        return leavesNoRoom(errno) ? errno : 0;
    int errorNumber = fallocate(file, 0, 0, bytes) == 0 ? 0 : errno;
    if (errorNumber == EOPNOTSUPP) {
        const QByteArray page(4096, '\0');
        const bool isWritten = write(file, page.constData(), static_cast<size_t>(page.size())) >= 0;
        errorNumber = isWritten && fsync(file) == 0 ? 0 : errno;
    }
    close(file);
    return errorNumber;
}

DiskWatch::DiskWatch(const QStringList &folders, Probe probe)
    : m_probe(std::move(probe))
{
    std::set<dev_t> known;
    for (const QString &folder : folders) {
        struct stat info = {};
        if (stat(QFile::encodeName(existingFolder(folder)).constData(), &info) == 0 &&
            known.insert(info.st_dev).second)
            m_fileSystems.push_back({folder, {}, false, {}});
    }
}

/// Probes rarely, because that costs much more than statvfs(); while the quota is full, on each call.
bool DiskWatch::hasProbedRoom(FileSystem &fileSystem)
{
    if (!fileSystem.isQuotaFull && fileSystem.sinceProbe.isValid() &&
        !fileSystem.sinceProbe.hasExpired(probeMs))
        return true;
    fileSystem.sinceProbe.start();
    return !leavesNoRoom(m_probe(fileSystem.folder, fileSystem.isQuotaFull ? roomBytes : fullBytes));
}

std::vector<DiskWatch::Change> DiskWatch::look()
{
    std::vector<Change> changes;
    for (FileSystem &fileSystem : m_fileSystems) {
        struct statvfs info = {};
        if (statvfs(QFile::encodeName(existingFolder(fileSystem.folder)).constData(), &info) != 0)
            continue;
        const auto blockSize = static_cast<qint64>(info.f_frsize);
        // Some blocks are reserved for root.
        const auto freeBytes = static_cast<qint64>(getuid() == 0 ? info.f_bfree : info.f_bavail) * blockSize;
        const Sentence freeText =
            Sentence::tr("%1 of %2 free")
                .arg(sizeText(freeBytes), sizeText(static_cast<qint64>(info.f_blocks) * blockSize));
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const bool wasFull = fileSystem.fullSince.isValid();
        const bool isDiskFull = freeBytes < (wasFull ? roomBytes : fullBytes);
        const bool isFull = isDiskFull || !hasProbedRoom(fileSystem);
        if (isFull == wasFull)
            continue;
        if (isFull) {
            fileSystem.fullSince = now;
            fileSystem.isQuotaFull = !isDiskFull;
            const auto freeInodes = getuid() == 0 ? info.f_ffree : info.f_favail;
            const Sentence what =
                isDiskFull ? Sentence::tr("The disk is full: %1 on the file system of %2.")
                                 .arg(freeText, fileSystem.folder)
                : info.f_files > 0 && freeInodes == 0
                    ? Sentence::tr("The file system of %1 has no inodes left: it contains too many files.")
                          .arg(fileSystem.folder)
                    : Sentence::tr("Your quota is full on the file system of %1.").arg(fileSystem.folder);
            changes.push_back(
                {true, fileSystem.folder,
                 Sentence::tr("%1 The run continues, but log lines that do not fit are lost.").arg(what)});
        } else {
            changes.push_back(
                {false, fileSystem.folder,
                 Sentence::tr(
                     "The file system of %1 has space again (%2). Logs may lack lines from %3 to %4.")
                     .arg(fileSystem.folder, freeText, clockText(fileSystem.fullSince), clockText(now))});
            fileSystem.fullSince = {};
            fileSystem.isQuotaFull = false;
        }
    }
    return changes;
}

RunKeeper::RunKeeper(QString runDirectory, Journal &journal, const QStringList &logFolders)
    : m_directory(std::move(runDirectory))
    , m_journal(journal)
    , m_disks(logFolders)
{
}

RunKeeper::Findings RunKeeper::look()
{
    Findings found;
    const Sentence mended = mendDirectory();
    const bool isJournalNew = m_journal.restoreIfGone();
    if (!mended.isEmpty())
        found.notes << mended;
    else if (isJournalNew)
        found.notes << Sentence::tr("The run's journal had been removed; Rankdeck wrote it again.");
    for (const DiskWatch::Change &change : m_disks.look()) {
        found.notes << change.text;
        if (change.isFull)
            found.fullFolders << change.folder;
    }
    m_journal.tend();
    return found;
}

/// Without its directory no client could attach to the run or stop it.
Sentence RunKeeper::mendDirectory() const
{
    const QByteArray name = QFile::encodeName(m_directory);
    struct stat info = {};
    if (stat(name.constData(), &info) != 0) {
        if (errno != ENOENT || !QDir().mkpath(QFileInfo(m_directory).path()) ||
            mkdir(name.constData(), 0700) != 0)
            return {};
        return Sentence::tr(
            "The run directory was removed while the run was live. Rankdeck made it again and the run "
            "goes on, but the logs in it are lost, and so is what is still written to them.");
    }
    if ((info.st_mode & 0077) != 0 && chmod(name.constData(), 0700) == 0)
        return Sentence::tr("Other users had access to the run directory; Rankdeck has removed it.");
    return {};
}

} // namespace rankdeck

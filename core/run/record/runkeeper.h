#pragma once

#include "base/sentence.h"

#include <QDateTime>
#include <QElapsedTimer>

#include <functional>
#include <vector>

namespace rankdeck
{

class Journal;

/// Returns the absolute path of the part of `path` that exists, however far up; of an empty one an empty one.
QString existingFolder(const QString &path);

/// Returns true for the errno of a full disk, or of this user's full quota.
bool leavesNoRoom(int errorNumber);

/// Tries to allocate `bytes` in a folder, and frees them. Returns an errno; 0: they fit, or the folder does
/// not allow the test.
int takeRoom(const QString &folder, qint64 bytes);

/// Notices when a file system with logs, or this user's quota on it, is full and has room again. Ranks write
/// their logs themselves, so only the time shows which lines may be missing.
class DiskWatch
{
public:
    /// With fewer free bytes a file system counts as full: a rank's next write may not fit.
    static constexpr qint64 fullBytes = 64 * 1024;
    /// With as many free bytes there is room again.
    static constexpr qint64 roomBytes = 4 * fullBytes;

    struct Change {
        bool isFull = false;
        QString folder; ///< One of those given, which is on that file system.
        Sentence text;  ///< A sentence for the journal.
    };

    using Probe = std::function<int(const QString &folder, qint64 bytes)>;

    /// @param folders need not exist yet; each file system is checked once.
    /// @param probe allocates room if enough seems free: the free space does not show quotas.
    explicit DiskWatch(const QStringList &folders, Probe probe = takeRoom);

    /// Returns the changes since the last call.
    std::vector<Change> look();

private:
    struct FileSystem {
        QString folder; ///< The first that is on it.
        QDateTime fullSince;
        bool isQuotaFull = false;
        QElapsedTimer sinceProbe;
    };
    bool hasProbedRoom(FileSystem &fileSystem);

    Probe m_probe;
    std::vector<FileSystem> m_fileSystems;
};

/// Looks after a live run's files: its directory, which may be removed or opened to others, its journal, and
/// the file systems of its logs, which may be full. The run goes on in every case.
class RunKeeper
{
public:
    /// @param journal must outlive the keeper.
    RunKeeper(QString runDirectory, Journal &journal, const QStringList &logFolders);

    struct Findings {
        QList<Sentence> notes;   ///< Sentences for the journal.
        QStringList fullFolders; ///< Folders of logs whose file systems have become full.
    };
    /// Checks once and mends what can be mended.
    Findings look();

private:
    Sentence mendDirectory() const;

    QString m_directory;
    Journal &m_journal;
    DiskWatch m_disks;
};

} // namespace rankdeck

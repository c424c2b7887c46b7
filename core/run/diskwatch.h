#pragma once

#include <QDateTime>
#include <QElapsedTimer>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace rankdeck
{

/// Whether what was to be written failed for want of room: the disk is full, or this user's quota.
bool leavesNoRoom(int errorNumber);

/// Try to take `bytes` in a folder, and give them back. The errno of what failed; 0: they fit, or the folder
/// does not let anybody try.
int takeRoom(const QString &folder, qint64 bytes);

/// Tells when a file system that logs are written to is full, or this user's quota there, and when there is
/// room again. Ranks write their logs themselves, so what is missing in them can only be told by the time.
class DiskWatch
{
public:
    /// Less than this is full: what a rank writes at once no longer fits for sure, bytes.
    static constexpr qint64 fullBytes = 64 * 1024;
    /// From this on there is room again, bytes.
    static constexpr qint64 roomBytes = 4 * fullBytes;

    struct Change {
        bool isFull = false;
        QString folder; ///< One of those given, which is on that file system.
        QString text;   ///< A sentence for the journal.
    };

    using Probe = std::function<int(const QString &folder, qint64 bytes)>;

    /// @param folders need not exist yet; those of one file system are looked at once.
    /// @param probe what asks for room where enough seems free: file systems do not show quotas in that.
    explicit DiskWatch(const QStringList &folders, Probe probe = takeRoom);

    /// What has changed since the last look.
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

} // namespace rankdeck

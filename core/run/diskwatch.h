#pragma once

#include <QDateTime>
#include <QString>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// Tells when a file system that logs are written to is full, and when there is room again. Ranks write their
/// logs themselves, so what is missing in them can only be told by the time.
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

    /// @param folders need not exist yet; those of one file system are looked at once.
    explicit DiskWatch(const QStringList &folders);

    /// What has changed since the last look.
    std::vector<Change> look();

private:
    struct FileSystem {
        QString folder; ///< The first that is on it.
        QDateTime fullSince;
    };
    std::vector<FileSystem> m_fileSystems;
};

} // namespace rankdeck

#pragma once

#include <QDateTime>
#include <QString>

namespace rankdeck
{

/// By what one tells that a file is not the one it was.
struct FileStamp {
    bool exists = false;
    bool isReadable = false;
    qint64 size = 0; ///< Bytes.
    QDateTime modified;

    /// Looks at the disk.
    static FileStamp of(const QString &path);
    /// Whether the file was changed within the last two seconds: what is in it may be half of what is meant.
    bool isYoung() const;
    bool operator==(const FileStamp &) const = default;
};

} // namespace rankdeck

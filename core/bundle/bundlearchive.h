#pragma once

#include "base/result.h"

#include <QDateTime>

#include <functional>
#include <memory>

struct archive;

namespace rankdeck
{

/// Limits for unpacking, so that a small file cannot fill a disk.
struct UnpackLimits {
    int files = 32768;
    qint64 bytes = 1'100'000'000; ///< Limit for all files together, unpacked.
};

/// Unpacks a .tar.gz into `directory`, which must exist and be empty; its one top folder is left off. Accepts
/// only regular files and folders with plain names (letters, digits and "._-", no "..") at most eight deep;
/// refuses an archive with anything else, such as an absolute path or a link, or beyond the limits. Files
/// unpacked before an error stay: remove the directory. Blocks. Returns nothing on success.
std::optional<Error> unpackArchive(const QString &path, const QString &directory,
                                   const UnpackLimits &limits = {},
                                   const std::function<bool()> &isCancelled = {});

/// Writes a .tar.gz, readable by its owner alone, to a new file beside `path` and renames it once it is
/// complete. If that fails, an existing file stays unchanged. Until then the file has no name, where the file
/// system allows that, so that a killed process leaves nothing.
class ArchiveWriting
{
public:
    /// @param path replaced if it is a regular file; a symbolic link is refused.
    explicit ArchiveWriting(QString path);
    ~ArchiveWriting();
    Q_DISABLE_COPY_MOVE(ArchiveWriting)

    std::optional<Error> open();
    /// @param name relative, of letters, digits and "._-/".
    std::optional<Error> add(const QString &name, const QByteArray &content, const QDateTime &when);
    /// The archive's size in bytes.
    Result<qint64> finish();

private:
    Error writeError(const QString &why) const;

    QString m_path;
    QByteArray m_newPath;   ///< Of the unfinished archive.
    bool m_hasName = false; ///< It is there, unlike an unnamed file.
    int m_file = -1;
    std::unique_ptr<archive, int (*)(archive *)> m_writer;
};

} // namespace rankdeck

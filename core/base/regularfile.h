#pragma once

#include "base/tr.h"

#include <QFile>

#include <optional>

namespace rankdeck
{

/// A file that somebody else may have put in place of ours. Opens to read, without waiting, and nothing but a
/// regular file: a named pipe without a writer would block its reader, a device may never end.
class RegularFile : public QFile
{
public:
    using QFile::QFile;

    /// Returns false, with errorString(), if there is no such file. An open one has lost its fileName().
    bool open(OpenMode mode) override;
};

/// Returns what the system keeps in a file, such as one below /proc, whose size it does not say; at most the
/// first `most` bytes. Empty if it cannot be read.
QByteArray fileContent(const QString &path, std::optional<qint64> most = {});

/// Whether two paths, or links of /proc, lead to the same.
bool isSameFile(const QString &one, const QString &other);

/// Reads `bytes` bytes from `offset` on, fewer where the file ends or cannot be read; returns how many.
qint64 readInto(char *buffer, int file, qint64 offset, qint64 bytes);

} // namespace rankdeck

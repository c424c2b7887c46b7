#pragma once

#include "result.h"

#include <QByteArray>
#include <QDateTime>
#include <QString>

#include <memory>
#include <optional>

struct archive;

namespace rankdeck
{

/// Writes a .tar.gz beside where it is to be, readable by its owner alone, and puts it there once it is
/// whole; until then, and when that fails, what is there stays.
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
    struct Close {
        void operator()(archive *writer) const;
    };
    Error writeError(const QString &why) const;

    QString m_path;
    QByteArray m_newPath; ///< What is to become the archive; empty: nothing is.
    int m_file = -1;
    std::unique_ptr<archive, Close> m_writer;
};

} // namespace rankdeck

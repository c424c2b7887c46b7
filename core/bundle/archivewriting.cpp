#include "bundle/archivewriting.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>

#include <archive.h>
#include <archive_entry.h>

#include <cerrno>
#include <cstdio>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("ArchiveWriting", text);
}

struct FreeEntry {
    void operator()(archive_entry *entry) const { archive_entry_free(entry); }
};

} // namespace

void ArchiveWriting::Close::operator()(archive *writer) const
{
    archive_write_free(writer);
}

ArchiveWriting::ArchiveWriting(QString path)
    : m_path(std::move(path))
{
}

ArchiveWriting::~ArchiveWriting()
{
    m_writer.reset();
    if (m_file >= 0)
        close(m_file);
    if (!m_newPath.isEmpty())
        unlink(m_newPath.constData());
}

Error ArchiveWriting::writeError(const QString &why) const
{
    return {tr("cannot be written: %1").arg(why), m_path, tr("Choose another place.")};
}

std::optional<Error> ArchiveWriting::open()
{
    const QFileInfo target(m_path);
    if (target.isSymLink())
        return writeError(tr("it is a symbolic link"));
    if (target.exists() && !target.isFile())
        return writeError(tr("it is no file"));
    // Nobody else's file: made anew, or not at all.
    const QString name = QStringLiteral("%1/.%2.%3")
                             .arg(target.absolutePath(), target.fileName().left(200),
                                  QString::number(QRandomGenerator::system()->generate(), 36));
    const QByteArray newPath = QFile::encodeName(name);
    m_file = ::open(newPath.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (m_file < 0)
        return writeError(errnoWords(errno));
    m_newPath = newPath;
    m_writer.reset(archive_write_new());
    if (!m_writer || archive_write_add_filter_gzip(m_writer.get()) != ARCHIVE_OK ||
        archive_write_set_format_pax_restricted(m_writer.get()) != ARCHIVE_OK ||
        archive_write_open_fd(m_writer.get(), m_file) != ARCHIVE_OK)
        return writeError(tr("libarchive refuses it"));
    return std::nullopt;
}

std::optional<Error> ArchiveWriting::add(const QString &name, const QByteArray &content,
                                         const QDateTime &when)
{
    const std::unique_ptr<archive_entry, FreeEntry> entry(archive_entry_new());
    archive_entry_set_pathname(entry.get(), name.toLatin1().constData());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0600);
    archive_entry_set_size(entry.get(), content.size());
    archive_entry_set_mtime(entry.get(), when.toSecsSinceEpoch(), 0);
    if (archive_write_header(m_writer.get(), entry.get()) != ARCHIVE_OK ||
        archive_write_data(m_writer.get(), content.constData(), static_cast<std::size_t>(content.size())) !=
            content.size())
        return writeError(errnoWords(archive_errno(m_writer.get())));
    return std::nullopt;
}

Result<qint64> ArchiveWriting::finish()
{
    if (archive_write_close(m_writer.get()) != ARCHIVE_OK)
        return writeError(errnoWords(archive_errno(m_writer.get())));
    struct stat info {
    };
    if (fsync(m_file) != 0 || fstat(m_file, &info) != 0 ||
        std::rename(m_newPath.constData(), QFile::encodeName(m_path).constData()) != 0)
        return writeError(errnoWords(errno));
    m_newPath.clear();
    return qint64(info.st_size);
}

} // namespace rankdeck

#include "bundle/bundlearchive.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QRegularExpression>

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

/// Returns "run/logs/a.txt" as {"run", "logs", "a.txt"}; empty if it is not a plain relative name.
QStringList plainParts(const char *name)
{
    static const QRegularExpression plain(u"^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$"_s);
    constexpr qsizetype deepest = 8;
    QString path = QString::fromUtf8(name);
    if (path.endsWith('/'_L1))
        path.chop(1);
    const QStringList parts = path.split('/'_L1);
    const bool arePlain =
        std::ranges::all_of(parts, [](const QString &part) { return part.contains(plain); });
    return arePlain && parts.size() <= deepest ? parts : QStringList();
}

class Unpacking
{
public:
    Unpacking(const QString &path, const QString &directory, const UnpackLimits &limits,
              const std::function<bool()> &isCancelled)
        : m_path(path)
        , m_directory(directory)
        , m_limits(limits)
        , m_isCancelled(isCancelled)
        , m_reader(archive_read_new(), archive_read_free)
    {
    }

    std::optional<Error> run()
    {
        const int file = open(QFile::encodeName(m_path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (file < 0)
            return refusal(errnoWords(errno));
        struct stat info {
        };
        const bool isFile = fstat(file, &info) == 0 && S_ISREG(info.st_mode);
        const auto error = isFile ? unpack(file) : refusal(tr("it is not a file"));
        m_reader.reset();
        close(file);
        return error;
    }

private:
    Error refusal(const QString &why) const
    {
        return {tr("cannot open the bundle: %1").arg(why), m_path, {}};
    }
    Error refusal(const QString &why, const char *name) const
    {
        QString shown = QString::fromUtf8(name).left(200);
        for (QChar &letter : shown) {
            if (!letter.isPrint())
                letter = '?'_L1;
        }
        return refusal(why.arg(shown));
    }

    std::optional<Error> unpack(int file)
    {
        constexpr std::size_t blockBytes = 1 << 16;
        archive_read_support_filter_gzip(m_reader.get());
        archive_read_support_format_tar(m_reader.get());
        if (archive_read_open_fd(m_reader.get(), file, blockBytes) != ARCHIVE_OK)
            return refusal(tr("it is not a .tar.gz file"));
        archive_entry *entry = nullptr;
        for (;;) {
            const int outcome = archive_read_next_header(m_reader.get(), &entry);
            if (outcome == ARCHIVE_EOF)
                return std::nullopt;
            if (outcome != ARCHIVE_OK)
                return refusal(m_files == 0 ? tr("it is not a .tar.gz file") : tr("it is damaged"));
            if (const auto error = take(entry))
                return error;
        }
    }

    std::optional<Error> take(archive_entry *entry)
    {
        const char *name = archive_entry_pathname_utf8(entry);
        const QStringList parts = name ? plainParts(name) : QStringList();
        if (parts.isEmpty())
            return refusal(tr("it contains an invalid file name, \"%1\""), name ? name : "");
        if (archive_entry_hardlink(entry) || archive_entry_symlink(entry))
            return refusal(tr("it contains a link, \"%1\""), name);
        if (m_isCancelled && m_isCancelled())
            return refusal(tr("cancelled"));
        if (++m_files > m_limits.files)
            return refusal(tr("it contains more than %1 files").arg(m_limits.files));
        const auto type = archive_entry_filetype(entry);
        if (type == AE_IFDIR)
            return std::nullopt; // Folders are made for the files in them.
        if (type != AE_IFREG)
            return refusal(tr("it contains \"%1\", which is not a file"), name);
        if (m_top.isEmpty())
            m_top = parts.first();
        if (parts.size() < 2 || parts.first() != m_top)
            return refusal(tr("it contains \"%1\" outside its folder"), name);
        return write(parts.mid(1));
    }

    /// Creates the file below our private directory, where no link can lead elsewhere.
    std::optional<Error> write(const QStringList &parts)
    {
        const QString path = m_directory + '/'_L1 + parts.join('/'_L1);
        if (parts.size() > 1 && !QDir(m_directory).mkpath(parts.mid(0, parts.size() - 1).join('/'_L1)))
            return refusal(tr("cannot create a folder below %1").arg(m_directory));
        const int file = open(QFile::encodeName(path).constData(),
                              O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0)
            return refusal(tr("%1 cannot be written: %2").arg(path, errnoWords(errno)));
        const auto error = copyTo(file, path);
        close(file);
        return error;
    }

    std::optional<Error> copyTo(int file, const QString &path)
    {
        const void *block = nullptr;
        std::size_t size = 0;
        la_int64_t offset = 0;
        for (;;) {
            const int outcome = archive_read_data_block(m_reader.get(), &block, &size, &offset);
            if (outcome == ARCHIVE_EOF)
                return std::nullopt;
            if (outcome != ARCHIVE_OK)
                return refusal(tr("it is damaged"));
            // Holes of a sparse file count as the bytes they read as.
            m_bytes += std::max<qint64>(offset - m_end, 0) + qint64(size);
            m_end = offset + qint64(size);
            if (m_bytes > m_limits.bytes || offset < 0 || offset > m_limits.bytes)
                return refusal(tr("it contains more than %1 MB").arg(m_limits.bytes / 1'000'000));
            if (m_isCancelled && m_isCancelled())
                return refusal(tr("cancelled"));
            if (pwrite(file, block, size, offset) != static_cast<ssize_t>(size))
                return refusal(tr("%1 cannot be written: %2").arg(path, errnoWords(errno)));
        }
    }

    const QString &m_path;
    const QString &m_directory;
    const UnpackLimits &m_limits;
    const std::function<bool()> &m_isCancelled;
    std::unique_ptr<archive, int (*)(archive *)> m_reader;
    QString m_top; ///< The folder that all is in.
    int m_files = 0;
    qint64 m_bytes = 0;
    qint64 m_end = 0; ///< End of the part written so far.
};

} // namespace

std::optional<Error> unpackArchive(const QString &path, const QString &directory, const UnpackLimits &limits,
                                   const std::function<bool()> &isCancelled)
{
    return Unpacking(path, directory, limits, isCancelled).run();
}

ArchiveWriting::ArchiveWriting(QString path)
    : m_path(std::move(path))
    , m_writer(nullptr, archive_write_free)
{
}

ArchiveWriting::~ArchiveWriting()
{
    m_writer.reset();
    if (m_file >= 0)
        close(m_file);
    if (m_hasName)
        unlink(m_newPath.constData());
}

Error ArchiveWriting::writeError(const QString &why) const
{
    return {tr("cannot be written: %1").arg(why), m_path, tr("Select another location.")};
}

std::optional<Error> ArchiveWriting::open()
{
    const QFileInfo target(m_path);
    if (target.isSymLink())
        return writeError(tr("it is a symbolic link"));
    if (target.exists() && !target.isFile())
        return writeError(tr("it is not a file"));
    const QString name = u"%1/.%2.%3"_s.arg(target.absolutePath(), target.fileName().left(200),
                                            QString::number(QRandomGenerator::system()->generate(), 36));
    m_newPath = QFile::encodeName(name);
    // Without a name nothing is left if this process is killed.
    m_file =
        ::open(QFile::encodeName(target.absolutePath()).constData(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
    m_hasName = m_file < 0 && (errno == EOPNOTSUPP || errno == EISDIR); // NFS among others.
    // O_EXCL: never opens another user's file.
    if (m_hasName)
        m_file = ::open(m_newPath.constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    m_hasName = m_hasName && m_file >= 0;
    if (m_file < 0)
        return writeError(errnoWords(errno));
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
    const std::unique_ptr<archive_entry, void (*)(archive_entry *)> entry(archive_entry_new(),
                                                                          archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.toLatin1().constData());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), 0600);
    archive_entry_set_size(entry.get(), content.size());
    archive_entry_set_mtime(entry.get(), when.toSecsSinceEpoch(), 0);
    if (archive_write_header(m_writer.get(), entry.get()) != ARCHIVE_OK ||
        archive_write_data(m_writer.get(), content.constData(), std::size_t(content.size())) !=
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
    if (fsync(m_file) != 0 || fstat(m_file, &info) != 0)
        return writeError(errnoWords(errno));
    const QByteArray unnamed = "/proc/self/fd/" + QByteArray::number(m_file);
    m_hasName = m_hasName || linkat(AT_FDCWD, unnamed.constData(), AT_FDCWD, m_newPath.constData(),
                                    AT_SYMLINK_FOLLOW) == 0;
    if (!m_hasName || std::rename(m_newPath.constData(), QFile::encodeName(m_path).constData()) != 0)
        return writeError(errnoWords(errno));
    m_hasName = false;
    return qint64(info.st_size);
}

} // namespace rankdeck

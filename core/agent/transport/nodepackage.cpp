#include "agent/transport/nodepackage.h"

#include "base/program.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

#include <archive.h>
#include <archive_entry.h>

namespace rankdeck
{

namespace
{

Error cannotPack(const QString &path, const QString &why)
{
    return {tr("cannot pack rankdeckctl to copy it: %1").arg(why), path, {}};
}

/// Called by libarchive with each piece of the archive.
la_ssize_t writePiece(archive * /*writer*/, void *file, const void *bytes, std::size_t size)
{
    return static_cast<QSaveFile *>(file)->write(static_cast<const char *>(bytes), qint64(size));
}

std::optional<Error> addFile(archive *writer, const QString &path, const QByteArray &name)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return cannotPack(path, problemOf(file));
    const QByteArray content = file.readAll();
    const std::unique_ptr<archive_entry, void (*)(archive_entry *)> entry(archive_entry_new(),
                                                                          archive_entry_free);
    archive_entry_set_pathname(entry.get(), name.constData());
    archive_entry_set_filetype(entry.get(), AE_IFREG);
    archive_entry_set_perm(entry.get(), file.permissions() & QFileDevice::ExeOwner ? 0755 : 0644);
    archive_entry_set_size(entry.get(), content.size());
    archive_entry_set_mtime(entry.get(), 0, 0); // The same content is the same archive.
    if (archive_write_header(writer, entry.get()) != ARCHIVE_OK ||
        archive_write_data(writer, content.constData(), std::size_t(content.size())) != content.size())
        return cannotPack(path, QString::fromLocal8Bit(archive_error_string(writer)));
    return std::nullopt;
}

std::optional<Error> pack(const QString &package, const QByteArrayList &names, const QString &path)
{
    QSaveFile file(path);
    const std::unique_ptr<archive, int (*)(archive *)> writer(archive_write_new(), archive_write_free);
    if (!file.open(QIODevice::WriteOnly))
        return cannotPack(path, problemOf(file));
    if (archive_write_add_filter_gzip(writer.get()) != ARCHIVE_OK ||
        archive_write_set_filter_option(writer.get(), "gzip", "timestamp", nullptr) != ARCHIVE_OK ||
        archive_write_set_format_ustar(writer.get()) != ARCHIVE_OK ||
        archive_write_open(writer.get(), &file, nullptr, writePiece, nullptr) != ARCHIVE_OK)
        return cannotPack(path, QString::fromLocal8Bit(archive_error_string(writer.get())));
    for (const QByteArray &name : names) {
        if (const auto error =
                addFile(writer.get(), package + '/'_L1 + QFile::decodeName(name), "rankdeckctl/" + name))
            return error;
    }
    if (archive_write_close(writer.get()) != ARCHIVE_OK || !file.commit())
        return cannotPack(path, problemOf(file));
    return std::nullopt;
}

} // namespace

Result<QString> nodePackage(const QString &package)
{
    const QString list = package + u"/share/rankdeck/node-files"_s;
    QFile names(list);
    QFile program(package + u"/libexec/rankdeckctl"_s);
    QCryptographicHash hash(QCryptographicHash::Sha256);
    if (!names.open(QIODevice::ReadOnly))
        return cannotPack(list, problemOf(names));
    if (!program.open(QIODevice::ReadOnly) || !hash.addData(&program))
        return cannotPack(program.fileName(), problemOf(program));
    QDir folder(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + u"/rankdeck"_s);
    const QString name = u"for-nodes-%1.tar.gz"_s.arg(QLatin1String(hash.result().toHex().left(16)));
    if (folder.exists(name))
        return folder.filePath(name);
    if (!folder.mkpath(u"."_s))
        return cannotPack(folder.path(), tr("the folder cannot be made"));
    for (const QString &old : folder.entryList({u"for-nodes-*.tar.gz"_s}, QDir::Files))
        folder.remove(old);
    if (const auto error = pack(package, names.readAll().trimmed().split('\n'), folder.filePath(name)))
        return *error;
    return folder.filePath(name);
}

Result<QString> nodePackageFor(const QString &architecture)
{
    const QString name =
        u"rankdeckctl-%1-linux-%2.tar.gz"_s.arg(QStringLiteral(RANKDECK_VERSION), architecture);
    const QString nodes = u"rankdeck/nodes/"_s;
    const QString own = programDirectory() + u"/../share/"_s + nodes + name;
    // A node's word is not to lead to another folder.
    const bool isName = !architecture.contains('/'_L1);
    if (isName && QFileInfo(own).isFile())
        return QDir::cleanPath(own);
    if (const QString found = QStandardPaths::locate(QStandardPaths::GenericDataLocation, nodes + name);
        isName && !found.isEmpty())
        return found;
    return Error{tr("rankdeckctl is not in PATH there, and this machine has none for %1").arg(architecture),
                 {},
                 tr("Put %1 into %2 on this machine, install Rankdeck there, or name its rankdeckctl with "
                    "--node-program.")
                     .arg(name, QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                                    u"/rankdeck/nodes"_s)};
}

} // namespace rankdeck

#include "run/mirror/sharedfolder.h"

#include <QFile>
#include <QRandomGenerator>
#include <QRegularExpression>

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr int secretBytes = 64;

/// Returns 32 hexadecimal digits that cannot be guessed.
static QByteArray randomDigits()
{
    std::array<quint32, 4> numbers{};
    QRandomGenerator::system()->fillRange(numbers.data(), static_cast<qsizetype>(numbers.size()));
    return QByteArray(reinterpret_cast<const char *>(numbers.data()), sizeof numbers).toHex();
}

Result<SharedFolderProbe> SharedFolderProbe::begin(const QString &folder)
{
    SharedFolderProbe probe;
    probe.m_name = u".rankdeck-shared-"_s + QString::fromLatin1(randomDigits());
    probe.m_secret = randomDigits() + randomDigits();
    const QString path = folder + '/'_L1 + probe.m_name;
    const int file =
        open(QFile::encodeName(path).constData(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool isWritten = false;
    if (file >= 0) {
        probe.m_path = path;
        isWritten = write(file, probe.m_secret.constData(), secretBytes) == secretBytes;
        // NFS sends the file to the server on close.
        isWritten = close(file) == 0 && isWritten;
    }
    if (!isWritten)
        return Error{
            tr("cannot create a file here to check whether the folder is shared: %1").arg(errnoWords(errno)),
            folder, QString()};
    return probe;
}

SharedFolderProbe::SharedFolderProbe(SharedFolderProbe &&other) noexcept
    : m_path(std::exchange(other.m_path, {}))
    , m_name(std::move(other.m_name))
    , m_secret(std::move(other.m_secret))
{
}

SharedFolderProbe::~SharedFolderProbe()
{
    if (!m_path.isEmpty())
        QFile::remove(m_path);
}

QByteArray answerToSharedFolderProbe(const QString &folder, const QString &name)
{
    static const QRegularExpression ours(u"\\A\\.rankdeck-shared-[0-9a-f]{32}\\z"_s);
    if (!ours.match(name).hasMatch())
        return {};
    const QByteArray path = QFile::encodeName(folder + '/'_L1 + name);
    const int file = open(path.constData(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return {};
    QByteArray text(secretBytes, Qt::Uninitialized);
    const ssize_t size = read(file, text.data(), secretBytes);
    close(file);
    return size == secretBytes ? text : QByteArray();
}

} // namespace rankdeck

#include "launch/host/portlocks.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QTcpServer>
#include <QTimer>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <map>
#include <mutex>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

constexpr mode_t ownerOnly = 0700;
constexpr mode_t othersToo = 0077;
constexpr mode_t fileMode = 0600;
constexpr qsizetype mostPidDigits = 20;

bool isPrivateDirectory(const QByteArray &path)
{
    if (mkdir(path.constData(), ownerOnly) != 0 && errno != EEXIST)
        return false;
    struct stat info = {};
    return lstat(path.constData(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid() &&
           ((info.st_mode & othersToo) == 0 || chmod(path.constData(), ownerOnly) == 0);
}

QByteArray fileOf(int port, const char *kind)
{
    const QString directory = portLockDirectory();
    return directory.isEmpty() ? QByteArray()
                               : QFile::encodeName(directory) + '/' + QByteArray::number(port) + kind;
}

/// A file descriptor that closes itself.
class OpenFile
{
public:
    OpenFile(const QByteArray &path, int flags)
        : m_descriptor(path.isEmpty() ? -1 : open(path.constData(), flags | O_CLOEXEC | O_NOFOLLOW, fileMode))
    {
    }
    ~OpenFile()
    {
        if (m_descriptor >= 0)
            close(m_descriptor);
    }
    OpenFile(const OpenFile &) = delete;
    OpenFile &operator=(const OpenFile &) = delete;

    int descriptor() const { return m_descriptor; }
    bool isOpen() const { return m_descriptor >= 0; }
    bool lock() const { return isOpen() && flock(m_descriptor, LOCK_EX | LOCK_NB) == 0; }
    int take() { return std::exchange(m_descriptor, -1); }

private:
    int m_descriptor;
};

void writePid(int descriptor)
{
    const QByteArray text = QByteArray::number(getpid()) + '\n';
    if (ftruncate(descriptor, 0) != 0 || pwrite(descriptor, text.constData(), text.size(), 0) != text.size())
        qWarning("A lock of a port has no pid: errno %d", errno);
}

qint64 readPid(int descriptor)
{
    QByteArray text(mostPidDigits, '\0');
    const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
    return length > 0 ? text.first(length).trimmed().toLongLong() : 0;
}

/// Returns the descriptor of a socket that has this name while it is open; -1 with errno EADDRINUSE: it is
/// another's.
int takeName(int port, const char *kind)
{
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    const QByteArray name = "rankdeck-port-" + QByteArray::number(port) + kind;
    std::ranges::copy(name, address.sun_path + 1); // A 0 before it: a name, no file.
    const auto length = socklen_t(offsetof(sockaddr_un, sun_path) + 1 + std::size_t(name.size()));
    const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0 && bind(descriptor, reinterpret_cast<const sockaddr *>(&address), length) != 0) {
        const int problem = errno;
        close(descriptor);
        errno = problem;
        return -1;
    }
    return descriptor;
}

bool isNameTaken(int port, const char *kind)
{
    const int descriptor = takeName(port, kind);
    const bool isTaken = descriptor < 0 && errno == EADDRINUSE;
    if (descriptor >= 0)
        close(descriptor);
    return isTaken;
}

/// The claims of this process, as sockets.
class ClaimedNames
{
public:
    /// Returns false if another process has the name.
    bool take(int port)
    {
        const std::lock_guard lock(m_mutex);
        if (m_names.contains(port))
            return true;
        const int descriptor = takeName(port, ".claim");
        if (descriptor < 0)
            return errno != EADDRINUSE;
        m_names.emplace(port, descriptor);
        // By the main thread: a timer of a thread that ends at once would be left over.
        if (QCoreApplication *application = QCoreApplication::instance())
            QMetaObject::invokeMethod(
                application,
                [this, application, port] {
                    QTimer::singleShot(std::chrono::seconds(claimSeconds), application,
                                       [this, port] { release(port); });
                },
                Qt::QueuedConnection);
        return true;
    }
    bool has(int port) const
    {
        const std::lock_guard lock(m_mutex);
        return m_names.contains(port);
    }

private:
    void release(int port)
    {
        const std::lock_guard lock(m_mutex);
        if (const auto name = m_names.extract(port))
            close(name.mapped());
    }

    mutable std::mutex m_mutex; // Plans are also made in the background.
    std::map<int, int> m_names; ///< Descriptors by port.
};

ClaimedNames &claimedNames()
{
    static ClaimedNames names;
    return names;
}

} // namespace

QString portLockDirectory()
{
    const QString runtime = qEnvironmentVariable("XDG_RUNTIME_DIR");
    const QString parent = QDir::isAbsolutePath(runtime) && QFileInfo(runtime).isWritable()
                               ? runtime + u"/rankdeck"_s
                               : u"/tmp/rankdeck-%1"_s.arg(getuid());
    const QString path = parent + u"/ports"_s;
    return isPrivateDirectory(QFile::encodeName(parent)) && isPrivateDirectory(QFile::encodeName(path))
               ? path
               : QString();
}

bool PortLocks::take(int port)
{
    OpenFile file(fileOf(port, ".lock"), O_RDWR | O_CREAT);
    if (!file.lock())
        return false;
    const int name = takeName(port, "");
    if (name < 0 && errno == EADDRINUSE)
        return false;
    writePid(file.descriptor());
    m_files.push_back(file.take());
    if (name >= 0)
        m_files.push_back(name);
    unlink(fileOf(port, ".claim").constData());
    return true;
}

void PortLocks::release()
{
    // The files stay: removing one could take the lock from under a process that has just opened it.
    for (const int file : m_files)
        close(file);
    m_files.clear();
}

qint64 lockerOfPort(int port)
{
    const OpenFile file(fileOf(port, ".lock"), O_RDWR);
    return file.isOpen() && !file.lock() ? readPid(file.descriptor()) : 0;
}

bool isPortReserved(int port)
{
    return isNameTaken(port, "") || lockerOfPort(port) != 0;
}

/// Returns true if the claim in the file is another process's and still counts.
static bool isClaimOfOther(int descriptor)
{
    struct stat info = {};
    const qint64 pid = readPid(descriptor);
    return pid != 0 && pid != getpid() && fstat(descriptor, &info) == 0 &&
           QDateTime::currentSecsSinceEpoch() - info.st_mtime < claimSeconds;
}

bool claimPort(int port)
{
    const OpenFile file(fileOf(port, ".claim"), O_RDWR | O_CREAT);
    // The lock only orders those who look at the claim at the same time.
    if (!file.lock() || isClaimOfOther(file.descriptor()) || !claimedNames().take(port))
        return false;
    writePid(file.descriptor());
    return true;
}

bool isPortClaimed(int port)
{
    const OpenFile file(fileOf(port, ".claim"), O_RDWR);
    return (file.isOpen() && isClaimOfOther(file.descriptor())) ||
           (!claimedNames().has(port) && isNameTaken(port, ".claim"));
}

bool isPortFree(int port)
{
    QTcpServer server;
    return server.listen(QHostAddress::Any, static_cast<quint16>(port)) ||
           server.serverError() != QAbstractSocket::AddressInUseError;
}

} // namespace rankdeck

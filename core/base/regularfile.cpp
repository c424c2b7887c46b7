#include "base/regularfile.h"

#include "base/result.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

bool RegularFile::open(OpenMode mode)
{
    const int descriptor =
        ::open(encodeName(fileName()).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat its = {};
    if (descriptor < 0 || fstat(descriptor, &its) != 0) {
        setErrorString(errnoWords(errno));
    } else if (!S_ISREG(its.st_mode)) {
        setErrorString(rankdeck::tr("is not a file"));
    } else {
        return QFile::open(descriptor, mode, AutoCloseHandle);
    }
    if (descriptor >= 0)
        ::close(descriptor);
    return false;
}

QByteArray fileContent(const QString &path, std::optional<qint64> most)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return most ? file.read(*most) : file.readAll();
}

bool isSameFile(const QString &one, const QString &other)
{
    struct stat first = {};
    struct stat second = {};
    return stat(QFile::encodeName(one).constData(), &first) == 0 &&
           stat(QFile::encodeName(other).constData(), &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

qint64 readInto(char *buffer, int file, qint64 offset, qint64 bytes)
{
    qint64 done = 0;
    while (done < bytes) {
        const ssize_t got = pread(file, buffer + done, std::size_t(bytes - done), offset + done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += got;
    }
    return done;
}

} // namespace rankdeck

#include "log/logtail.h"

#include "result.h"

#include <QCoreApplication>
#include <QFile>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

LogTail::LogTail(QString path, ByteOffset start)
    : m_path(std::move(path))
    , m_offset(start.value)
{
}

LogTail::~LogTail()
{
    close();
}

void LogTail::close()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    m_descriptor = -1;
    m_offset = 0;
}

bool LogTail::open()
{
    m_descriptor = ::open(QFile::encodeName(m_path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (m_descriptor < 0 || ::fstat(m_descriptor, &status) != 0)
        return false;
    m_device = status.st_dev;
    m_inode = status.st_ino;
    return true;
}

qint64 LogTail::fail(int error)
{
    m_error = Error{
        QCoreApplication::translate("LogTail", "The log cannot be read: %1.").arg(qt_error_string(error)),
        m_path,
        {}}.sentence();
    return -1;
}

qint64 LogTail::readLines(const Sink &sink, qint64 maxBytes)
{
    m_error.clear();
    struct stat status;
    if (::stat(QFile::encodeName(m_path).constData(), &status) == 0) {
        const bool replaced = m_descriptor >= 0 && (status.st_dev != m_device || status.st_ino != m_inode);
        const bool cut = m_descriptor >= 0 && status.st_size < m_offset;
        if (replaced || cut) {
            flushRest(sink);
            close();
        }
        if (m_descriptor < 0 && !open())
            return fail(errno);
        if (S_ISREG(status.st_mode) && status.st_size == m_offset)
            return 0;
    } else if (errno != ENOENT) {
        return fail(errno);
    } else if (m_descriptor < 0) {
        return 0;
    }

    qint64 done = 0;
    while (done < maxBytes) {
        const qsizetype before = m_rest.size();
        const qint64 want = std::min<qint64>(maxBytes - done, std::max<qint64>(1, longestPiece - before));
        m_rest.resize(before + want);
        const ssize_t got = ::pread(m_descriptor, m_rest.data() + before, size_t(want), m_offset);
        const int error = errno;
        m_rest.resize(before + std::max<ssize_t>(0, got));
        if (got < 0 && error == EINTR)
            continue;
        if (got < 0)
            return fail(error);
        if (got == 0)
            break;
        m_offset += got;
        done += got;
        handOn(sink);
    }
    return done;
}

void LogTail::handOn(const Sink &sink)
{
    const QByteArrayView bytes(m_rest);
    qsizetype at = 0;
    while (at < bytes.size()) {
        const void *const newline = std::memchr(bytes.data() + at, '\n', size_t(bytes.size() - at));
        if (!newline)
            break;
        const qsizetype end = static_cast<const char *>(newline) - bytes.data();
        sink(bytes.sliced(at, end - at));
        at = end + 1;
    }
    m_rest.remove(0, at);
    if (m_rest.size() >= longestPiece) {
        sink(m_rest);
        m_rest.clear();
    }
}

bool LogTail::flushRest(const Sink &sink)
{
    if (m_rest.isEmpty())
        return false;
    sink(m_rest);
    m_rest.clear();
    return true;
}

} // namespace rankdeck

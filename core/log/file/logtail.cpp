#include "log/file/logtail.h"

#include "base/result.h"

#include <QFile>

#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

/// Fits into the cache of a core while the lines are passed on.
constexpr qint64 readBytesAtOnce = 128 * 1024;

/// Shared by all logs that this thread reads, since each uses it only while it reads.
static char *sharedBlock()
{
    static thread_local const std::unique_ptr<char[]> block(new char[size_t(LogTail::longestPiece)]);
    return block.get();
}

static QString whyUnreadable(const QString &path, int error)
{
    return Error{tr("The log cannot be read: %1.").arg(errnoWords(error)), path, {}}.sentence();
}

LogTail::LogTail(QString path, ByteOffset start, LineEnd end)
    : m_path(std::move(path))
    , m_lineEnd(end)
    , m_offset(start.value)
{
}

LogTail::~LogTail()
{
    close();
}

void LogTail::close()
{
    release();
    m_isReleased = false;
    m_offset = 0;
}

void LogTail::release()
{
    if (m_descriptor < 0)
        return;
    ::close(m_descriptor);
    m_descriptor = -1;
    m_isReleased = true;
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
    m_error = whyUnreadable(m_path, error);
    return -1;
}

qint64 LogTail::readLines(const Sink &sink, qint64 maxBytes)
{
    m_error.clear();
    maxBytes = limited(m_offset + maxBytes, m_limit) - m_offset;
    if (maxBytes <= 0)
        return 0;
    struct stat status;
    if (::stat(QFile::encodeName(m_path).constData(), &status) == 0) {
        const bool isKnown = m_descriptor >= 0 || m_isReleased;
        const bool replaced = isKnown && (status.st_dev != m_device || status.st_ino != m_inode);
        const bool cut = isKnown && status.st_size < m_offset;
        if (replaced || cut) {
            flushRest(sink);
            close();
        }
        if (m_isReleased && S_ISREG(status.st_mode) && status.st_size == m_offset)
            return 0;
        if (m_descriptor < 0 && !open())
            return fail(errno);
        m_isReleased = false;
        if (S_ISREG(status.st_mode) && status.st_size == m_offset)
            return 0;
    } else if (errno != ENOENT) {
        return fail(errno);
    } else if (m_descriptor < 0) {
        return 0;
    }

    char *const block = sharedBlock();
    qsizetype held = m_rest.size();
    if (held > 0)
        std::memcpy(block, m_rest.constData(), size_t(held));
    qint64 done = 0;
    int error = 0;
    while (done < maxBytes) {
        const qint64 want =
            std::min({maxBytes - done, std::max<qint64>(1, longestPiece - held), readBytesAtOnce});
        const ssize_t got = ::pread(m_descriptor, block + held, size_t(want), m_offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            error = got < 0 ? errno : 0;
            break;
        }
        m_offset += got;
        done += got;
        held = handOn(sink, {block, size_t(held + got)}, held);
    }
    m_rest.resize(held);
    if (held > 0)
        std::memcpy(m_rest.data(), block, size_t(held));
    return error != 0 ? fail(error) : done;
}

/// Passes on the lines in `bytes` (no end before `from`), moves the rest to the front, returns its size.
qsizetype LogTail::handOn(const Sink &sink, std::span<char> bytes, qsizetype from) const
{
    char *begin = bytes.data();
    char *const end = begin + bytes.size();
    const char *at = begin + from;
    const auto findEnd = [&at, end](char which) {
        const void *const found = std::memchr(at, which, size_t(end - at));
        return found ? static_cast<const char *>(found) : end;
    };
    const char *newline = nullptr;
    const char *carriageReturn = m_lineEnd == LineEnd::Newline ? end : nullptr;
    while (at < end) {
        if (newline < at)
            newline = findEnd('\n');
        if (carriageReturn < at)
            carriageReturn = findEnd('\r');
        const char *const lineEnd = std::min(newline, carriageReturn);
        if (lineEnd == end)
            break;
        sink(QByteArrayView(begin, lineEnd - begin));
        at = lineEnd + 1;
        begin += at - begin;
    }
    const qsizetype rest = end - begin;
    if (rest >= longestPiece) {
        sink(QByteArrayView(begin, rest));
        return 0;
    }
    std::memmove(bytes.data(), begin, size_t(rest));
    return rest;
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

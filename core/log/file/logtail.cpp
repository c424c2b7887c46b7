#include "log/file/logtail.h"

#include "base/result.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

namespace rankdeck
{

/// Fits into the cache of a core while the lines are passed on.
constexpr qint64 readBytesAtOnce = 128 * 1024;
/// So many bytes before the place where reading goes on are compared with what was read there.
constexpr qsizetype seenBytes = 32;

static bool closeIfOpen(int &descriptor)
{
    if (descriptor < 0)
        return false;
    ::close(std::exchange(descriptor, -1));
    return true;
}

LogTail::LogTail(QString path, ByteOffset start, LineEnd end, QByteArray unfinished)
    : m_path(std::move(path))
    , m_lineEnd(end)
{
    m_now.rest = std::move(unfinished);
    m_now.offset = start.value;
    m_now.isAtStart = start.value == 0;
}

LogTail::~LogTail()
{
    release();
}

/// What rotates a log moves it away or cuts it; the file under its name is then read from its start.
void LogTail::startAgain(const Sink &sink)
{
    flushRest(sink);
    release();
    m_isReleased = false;
    m_now = {};
}

void LogTail::release()
{
    closeIfOpen(m_former.descriptor);
    m_isReleased = closeIfOpen(m_now.descriptor) || m_isReleased;
}

bool LogTail::open()
{
    m_now.descriptor = ::open(QFile::encodeName(m_path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (m_now.descriptor < 0 || ::fstat(m_now.descriptor, &status) != 0)
        return false;
    m_device = status.st_dev;
    m_inode = status.st_ino;
    return true;
}

qint64 LogTail::fail(int error)
{
    m_error = Error{tr("The log cannot be read: %1.").arg(errnoWords(error)), m_path, {}}.sentence();
    return -1;
}

qint64 LogTail::readLines(const Sink &sink, qint64 maxBytes)
{
    m_error.clear();
    maxBytes = limited(m_now.offset + maxBytes, m_limit) - m_now.offset;
    if (maxBytes <= 0)
        return 0;
    qint64 done = m_former.descriptor >= 0 ? std::max<qint64>(0, readOn(m_former, sink, maxBytes)) : 0;
    struct stat status;
    if (::stat(QFile::encodeName(m_path).constData(), &status) == 0) {
        const bool isOpen = m_now.descriptor >= 0;
        const bool isKnown = isOpen || m_isReleased;
        const bool isOther = isKnown && (status.st_dev != m_device || status.st_ino != m_inode);
        if (isOther && isOpen) {
            const qint64 read = readOn(m_now, sink, maxBytes - done);
            done += std::max<qint64>(0, read);
            if (read < 0 || done == maxBytes || status.st_size == 0)
                return read < 0 ? read : done;
            flushRest(sink);
            closeIfOpen(m_former.descriptor);
            m_former = std::exchange(m_now, {});
        } else if (isOther || status.st_size < m_now.offset) {
            startAgain(sink);
        }
        const timespec before = std::exchange(m_written, status.st_mtim);
        const bool isUnchanged = S_ISREG(status.st_mode) && status.st_size == m_now.offset &&
                                 before.tv_sec == m_written.tv_sec && before.tv_nsec == m_written.tv_nsec;
        if (m_isReleased && isUnchanged)
            return done;
        if (m_now.descriptor < 0 && !open())
            return fail(errno);
        m_isReleased = false;
        if (isUnchanged)
            return done;
    } else if (errno != ENOENT) {
        return fail(errno);
    } else if (m_now.descriptor < 0) {
        return done;
    }
    const qint64 read = readOn(m_now, sink, maxBytes - done);
    return read < 0 ? read : done + read;
}

qint64 LogTail::readOn(Reading &reading, const Sink &sink, qint64 maxBytes)
{
    // Shared by all logs that this thread reads, since each uses it only while it reads.
    static thread_local const std::unique_ptr<char[]> shared(new char[size_t(longestPiece)]);
    char *const block = shared.get();
    qsizetype held = reading.rest.size();
    if (held > 0)
        std::memcpy(block, reading.rest.constData(), size_t(held));
    qint64 done = 0;
    int error = 0;
    while (done < maxBytes) {
        if (reading.isAtStart)
            reading.offset =
                std::max<qint64>(reading.offset, ::lseek(reading.descriptor, reading.offset, SEEK_DATA));
        const qint64 want =
            std::min({maxBytes - done, std::max<qint64>(1, longestPiece - held), readBytesAtOnce});
        char *const begin = block + held;
        std::array<char, seenBytes> before;
        const qsizetype seen = reading.seen.size();
        const std::array<iovec, 2> parts{iovec{before.data(), size_t(seen)}, iovec{begin, size_t(want)}};
        const ssize_t all = ::preadv(reading.descriptor, parts.data(), 2, reading.offset - seen);
        if (all < 0 && errno == EINTR)
            continue;
        if (all < seen) {
            error = all < 0 ? errno : 0;
            break;
        }
        if (reading.seen != QByteArrayView(before.data(), seen)) { // Cut, and as large as before again.
            if (held > 0)
                sink({block, held});
            held = 0;
            reading = {.descriptor = reading.descriptor};
            continue;
        }
        qint64 got = all - seen;
        if (got == 0)
            break;
        reading.offset += got;
        done += got;
        if (reading.isAtStart) {
            const char *const text = std::find_if(begin, begin + got, [](char each) { return each != 0; });
            got -= text - begin;
            if (got == 0)
                continue;
            std::memmove(begin, text, size_t(got));
            reading.isAtStart = false;
        }
        const auto last = std::min<qsizetype>(got, seenBytes);
        reading.seen.append(begin + got - last, last);
        reading.seen = reading.seen.right(seenBytes);
        held = handOn(sink, {block, size_t(held + got)}, held);
    }
    reading.rest.resize(held);
    if (held > 0)
        std::memcpy(reading.rest.data(), block, size_t(held));
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
    bool isAny = false;
    for (Reading *reading : {&m_former, &m_now}) {
        isAny = isAny || !reading->rest.isEmpty();
        if (!reading->rest.isEmpty())
            sink(std::exchange(reading->rest, {}));
    }
    return isAny;
}

} // namespace rankdeck

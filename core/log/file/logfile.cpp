#include "log/file/logfile.h"

#include "base/regularfile.h"
#include "log/file/loglines.h"

#include <QFile>
#include <QLocale>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

constexpr qint64 blockBytes = 1024 * 1024;
constexpr qint64 barTailBytes = 4096;

static Error unreadableFile(const QString &path, int error)
{
    return {tr("The log cannot be read: %1.").arg(errnoWords(error)), path, {}};
}

/// Returns the longest prefix of at most `size` bytes that does not end inside a UTF-8 character.
static QByteArrayView wholeCharacters(QByteArrayView bytes, qsizetype size)
{
    qsizetype end = std::min(bytes.size(), size);
    for (int back = 0; back < 3 && end > 0 && end < bytes.size() && (uchar(bytes[end]) & 0xC0) == 0x80;
         ++back)
        --end;
    return bytes.first(end);
}

QByteArrayView LineBlock::line(const LogFile &file, ByteOffset begin)
{
    auto [line, isWhole] = find(begin.value);
    if (isWhole)
        return line;
    // When reading backward, the lines before are needed next.
    if (begin.value < m_at) {
        load(file, std::max<qint64>(0, begin.value - m_usualBytes * 3 / 4), m_usualBytes);
        std::tie(line, isWhole) = find(begin.value);
    }
    if (!isWhole) {
        load(file, begin.value, m_usualBytes);
        std::tie(line, isWhole) = find(begin.value);
    }
    if (!isWhole && m_usualBytes < blockBytes) {
        load(file, begin.value, blockBytes);
        line = find(begin.value).first;
    }
    return line;
}

void LineBlock::load(const LogFile &file, qint64 from, qint64 bytes)
{
    m_bytes.resize(std::size_t(bytes));
    m_at = from;
    m_size = file.readBytes(ByteOffset(from), m_bytes.data(), bytes);
    // A merged view has thousands of blocks; most of their files are smaller than a block.
    m_bytes.resize(std::size_t(m_size));
    m_bytes.shrink_to_fit();
}

std::pair<QByteArrayView, bool> LineBlock::find(qint64 begin) const
{
    if (begin < m_at || begin >= m_at + m_size)
        return {};
    const QByteArrayView rest(m_bytes.data() + (begin - m_at), m_at + m_size - begin);
    const qsizetype newline = rest.indexOf('\n');
    return {newline < 0 ? rest : rest.first(newline), newline >= 0};
}

LogFile::LogFile(QString path)
    : m_path(std::move(path))
{
    clearIndex();
}

LogFile::~LogFile()
{
    close();
}

void LogFile::close()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    m_descriptor = -1;
    m_isReleased = false;
}

void LogFile::release()
{
    if (m_descriptor < 0)
        return;
    close();
    m_isReleased = true;
}

/// Returns a descriptor of the file that was released; -1 if it is not there any more.
int LogFile::openAgain() const
{
    const int descriptor = ::open(QFile::encodeName(m_path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (descriptor < 0 ||
        (::fstat(descriptor, &status) == 0 && status.st_dev == m_device && status.st_ino == m_inode))
        return descriptor;
    ::close(descriptor);
    return -1;
}

void LogFile::clearIndex()
{
    m_size = 0;
    m_newlines = 0;
    m_lastLineStart = 0;
    m_checkpoints.assign(1, {0, 0});
}

/// Forgets what lies behind the last checkpoint before `size`, to read it again: the bytes have not changed.
void LogFile::cutIndex(qint64 size)
{
    while (m_checkpoints.size() > 1 && m_checkpoints.back().offset > size)
        m_checkpoints.pop_back();
    m_size = m_lastLineStart = m_checkpoints.back().offset;
    m_newlines = m_checkpoints.back().line;
}

Result<bool> LogFile::open()
{
    // Without O_NONBLOCK opening a named pipe would block until it has a writer.
    const int descriptor = ::open(QFile::encodeName(m_path).constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return errno == ENOENT ? Result<bool>(false) : unreadableFile(m_path, errno);
    struct stat status;
    if (::fstat(descriptor, &status) != 0) {
        const int error = errno;
        ::close(descriptor);
        return unreadableFile(m_path, error);
    }
    if (!S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return Error{tr("The log cannot be read: it is not a regular file."), m_path, {}};
    }
    m_descriptor = descriptor;
    m_isReleased = false;
    m_device = status.st_dev;
    m_inode = status.st_ino;
    return true;
}

Result<LogGrowth> LogFile::poll(qint64 budget)
{
    LogGrowth growth;
    struct stat status;
    if (::stat(QFile::encodeName(m_path).constData(), &status) != 0) {
        if (errno != ENOENT)
            return unreadableFile(m_path, errno);
        if (m_descriptor < 0)
            return growth;
        if (::fstat(m_descriptor, &status) != 0)
            return unreadableFile(m_path, errno);
    } else if (exists() && (status.st_dev != m_device || status.st_ino != m_inode)) {
        close();
        clearIndex();
        growth.changed = growth.restarted = true;
    }
    const qint64 fileSize = limited(status.st_size, m_limit);
    if (m_isReleased && fileSize == m_size)
        return growth;
    if (m_descriptor < 0) {
        const Result<bool> opened = open();
        if (!opened)
            return opened.error();
        if (!*opened)
            return growth;
    }
    if (fileSize < m_size) {
        if (status.st_size < m_size)
            clearIndex();
        else
            cutIndex(fileSize);
        growth.changed = growth.restarted = true;
    }

    // Shared by the files of a thread: a merged view has thousands.
    static thread_local const std::unique_ptr<char[]> block(new char[size_t(blockBytes)]);
    while (m_size < fileSize && budget > 0) {
        const qint64 want = std::min({blockBytes, budget, fileSize - m_size});
        const ssize_t got = ::pread(m_descriptor, block.get(), size_t(want), m_size);
        if (got < 0) {
            if (errno == EINTR)
                continue;
            return unreadableFile(m_path, errno);
        }
        if (got == 0)
            break;
        index(block.get(), got);
        budget -= got;
        growth.changed = true;
    }
    growth.more = budget <= 0 && m_size < fileSize;
    return growth;
}

void LogFile::index(const char *data, qint64 size)
{
    const char *const end = data + size;
    const char *at = data;
    while ((at = static_cast<const char *>(std::memchr(at, '\n', size_t(end - at))))) {
        ++at;
        ++m_newlines;
        m_lastLineStart = m_size + (at - data);
        if (m_lastLineStart - m_checkpoints.back().offset >= checkpointSpacing)
            m_checkpoints.push_back({m_newlines, m_lastLineStart});
        if (at == end)
            break;
    }
    m_size += size;
}

qint64 LogFile::readBytes(ByteOffset from, char *target, qint64 size) const
{
    const int descriptor = m_isReleased ? openAgain() : m_descriptor;
    if (m_limit)
        size = std::min(size, m_size - from.value);
    const qint64 done = descriptor >= 0 ? readInto(target, descriptor, from.value, size) : 0;
    if (m_isReleased && descriptor >= 0)
        ::close(descriptor);
    return done;
}

int LogFile::stretchOf(LineNumber line) const
{
    const auto after = std::ranges::upper_bound(m_checkpoints, line.value, {}, &Checkpoint::line);
    return std::max(0, int(after - m_checkpoints.begin()) - 1);
}

LogFile::Stretch LogFile::stretch(int index) const
{
    const Checkpoint &point = m_checkpoints[size_t(index)];
    const bool last = index + 1 == stretchCount();
    return {LineNumber(point.line), ByteOffset(point.offset),
            ByteOffset(last ? m_size : m_checkpoints[size_t(index) + 1].offset)};
}

LineNumber LogFile::lineOf(ByteOffset offset) const
{
    const auto after = std::ranges::upper_bound(m_checkpoints, offset.value, {}, &Checkpoint::offset);
    const Checkpoint &point = *std::prev(after);
    // No line begins further behind its checkpoint.
    const qint64 size = std::min(offset.value - point.offset, checkpointSpacing);
    std::vector<char> bytes(static_cast<size_t>(size));
    const qint64 got = readBytes(ByteOffset(point.offset), bytes.data(), size);
    return LineNumber(point.line + std::count(bytes.begin(), bytes.begin() + got, '\n'));
}

qint64 LogFile::offsetOf(qint64 line) const
{
    const Checkpoint &point = m_checkpoints[size_t(stretchOf(LineNumber(line)))];
    qint64 skip = line - point.line;
    if (skip == 0)
        return point.offset;
    // The line's start lies less than checkpointSpacing behind the checkpoint, or it would be one.
    std::vector<char> bytes(static_cast<size_t>(checkpointSpacing));
    const qint64 got = readBytes(ByteOffset(point.offset), bytes.data(), checkpointSpacing);
    const QByteArrayView part(bytes.data(), got);
    qsizetype at = 0;
    while (skip > 0 && (at = part.indexOf('\n', at) + 1) > 0)
        --skip;
    return skip == 0 ? point.offset + at : m_size;
}

/// A checkpoint always follows a line longer than checkpointSpacing: its end is known without reading it.
qint64 LogFile::endOfLongLine(qint64 line) const
{
    const Checkpoint &next = m_checkpoints[size_t(stretchOf(LineNumber(line + 1)))];
    return next.line == line + 1 ? next.offset - 1 : m_size;
}

QByteArray LogFile::cutLine(qint64 begin, qint64 end, QByteArrayView head, bool saysLength) const
{
    QByteArray shown;
    QByteArray tail(barTailBytes, Qt::Uninitialized);
    tail.truncate(readBytes(ByteOffset(end - barTailBytes), tail.data(), barTailBytes));
    while (tail.endsWith('\r'))
        tail.chop(1);
    if (const qsizetype overwrite = tail.indexOf('\r'); overwrite >= 0)
        shown = tail.mid(overwrite + 1);
    else
        shown = wholeCharacters(head, LogLines::maxShownLineBytes).toByteArray();
    if (!saysLength)
        return shown;
    const QString length = QLocale::c().formattedDataSize(end - begin, 1, QLocale::DataSizeSIFormat);
    return shown + tr(" … (%1 line)").arg(length).toUtf8();
}

QByteArray LogFile::readWhole(LineNumber line, qint64 most) const
{
    if (line.value < 0 || line.value >= totalLines())
        return {};
    const qint64 end = line.value < m_newlines ? offsetOf(line.value + 1) - 1 : m_size;
    const qint64 begin = std::max(offsetOf(line.value), end - most);
    QByteArray bytes(end - begin, Qt::Uninitialized);
    bytes.truncate(readBytes(ByteOffset(begin), bytes.data(), bytes.size()));
    return bytes;
}

LogPage LogFile::read(LineNumber first, int count, bool saysLength) const
{
    LogPage page;
    page.first = LineNumber(std::max(qint64(0), first.value));
    page.totalLines = totalLines();
    page.totalBytes = m_size;
    qint64 line = page.first.value;
    const qint64 end = std::min(line + std::max(0, count), page.totalLines);
    page.atEnd = end == page.totalLines;
    if (line >= end)
        return page;

    std::vector<char> window(static_cast<size_t>(2 * checkpointSpacing));
    qint64 windowAt = 0;
    qint64 windowSize = 0;
    qint64 at = offsetOf(line);
    for (; line < end; ++line) {
        if (at + checkpointSpacing >= windowAt + windowSize && windowAt + windowSize < m_size) {
            windowAt = at;
            windowSize =
                readBytes(ByteOffset(at), window.data(), std::min(qint64(window.size()), m_size - at));
        }
        const QByteArrayView rest(window.data() + (at - windowAt),
                                  std::max(qint64(0), windowAt + windowSize - at));
        const qsizetype newline = rest.indexOf('\n');
        const qint64 lineEnd = newline < 0 ? endOfLongLine(line) : at + newline;
        if (lineEnd - at <= LogLines::maxShownLineBytes)
            page.lines.append(rest.first(std::min(rest.size(), lineEnd - at)).toByteArray());
        else
            page.lines.append(cutLine(at, lineEnd, rest, saysLength));
        at = std::min(lineEnd + 1, m_size);
    }
    return page;
}

} // namespace rankdeck

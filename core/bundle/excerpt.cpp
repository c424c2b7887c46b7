#include "bundle/excerpt.h"

#include "base/regularfile.h"

#include <QFile>

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

/// Fits into the cache of a core while its lines are counted.
constexpr qint64 blockBytes = 1 << 17;

static QByteArray readAt(int file, qint64 offset, qint64 bytes)
{
    QByteArray read(bytes, Qt::Uninitialized);
    read.truncate(readInto(read.data(), file, offset, bytes));
    return read;
}

static qint64 countLines(int file, qint64 from, qint64 to, const std::function<bool()> &isCancelled)
{
    qint64 lines = 0;
    QByteArray block(blockBytes, Qt::Uninitialized);
    while (from < to && !(isCancelled && isCancelled())) {
        const qint64 size = readInto(block.data(), file, from, std::min(blockBytes, to - from));
        if (size == 0)
            break;
        lines += std::count(block.constData(), block.constData() + size, '\n');
        from += size;
    }
    return lines;
}

static Excerpt excerptOf(int file, qint64 size, qint64 most, const std::function<bool()> &isCancelled)
{
    Excerpt excerpt;
    if (size <= most) {
        excerpt.content = readAt(file, 0, size);
        excerpt.fileBytes = excerpt.headBytes = excerpt.tailBegin = excerpt.content.size();
        excerpt.headLines = excerpt.content.count('\n');
        return excerpt;
    }
    excerpt.fileBytes = size;
    QByteArray head = readAt(file, 0, most / 4);
    if (const qsizetype end = head.lastIndexOf('\n'); end >= 0)
        head.truncate(end + 1);
    excerpt.tailBegin = size - (most - most / 4);
    QByteArray tail = readAt(file, excerpt.tailBegin, size - excerpt.tailBegin);
    // A line that begins before the tail ends there.
    const qsizetype end = tail.indexOf('\n');
    const qsizetype broken = end >= 0 && end + 1 < tail.size() ? end + 1 : 0;
    tail.remove(0, broken);
    excerpt.tailBegin += broken;
    excerpt.headBytes = head.size();
    excerpt.headLines = head.count('\n');
    excerpt.leftOutLines = countLines(file, excerpt.headBytes, excerpt.tailBegin, isCancelled);
    excerpt.content = head;
    if (!head.isEmpty() && !head.endsWith('\n'))
        excerpt.content += '\n';
    excerpt.content += excerpt.gapLine() + tail;
    return excerpt;
}

QByteArray Excerpt::gapLine() const
{
    return tr("[rankdeck: %1 bytes (%2 lines) omitted here]\n")
        .arg(leftOutBytes())
        .arg(leftOutLines)
        .toUtf8();
}

qint64 Excerpt::placeOf(qint64 offset) const
{
    const qint64 gap = leftOutBytes() > 0 ? gapLine().size() : 0;
    return offset <= headBytes ? offset : headBytes + gap + std::max(offset, tailBegin) - tailBegin;
}

Result<Excerpt> readExcerpt(const QString &path, qint64 most, const std::function<bool()> &isCancelled)
{
    const int file = open(QFile::encodeName(path).constData(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return Error{errnoWords(errno), path, {}};
    struct stat info {
    };
    if (fstat(file, &info) != 0 || !S_ISREG(info.st_mode)) {
        close(file);
        return Error{tr("is not a file"), path, {}};
    }
    Excerpt excerpt = excerptOf(file, info.st_size, std::max<qint64>(most, 0), isCancelled);
    close(file);
    return excerpt;
}

} // namespace rankdeck

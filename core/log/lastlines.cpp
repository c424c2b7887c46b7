#include "log/lastlines.h"

#include <QFile>

#include <algorithm>

namespace rankdeck
{

QList<QByteArray> lastLines(const QString &path, int count, qint64 maxBytes)
{
    constexpr qint64 stepBytes = 64 * 1024;
    QFile file(path);
    if (count <= 0 || maxBytes <= 0 || !file.open(QIODevice::ReadOnly) || file.isSequential())
        return {};

    qint64 begin = file.size();
    const qint64 lowest = std::max(qint64(0), begin - maxBytes);
    QByteArray bytes;
    qsizetype newlines = 0;
    // One line end more than lines: the one before the first of them, and perhaps the one that ends the file.
    while (begin > lowest && newlines <= count) {
        const qint64 size = std::min(stepBytes, begin - lowest);
        if (!file.seek(begin - size))
            return {};
        const QByteArray step = file.read(size);
        if (step.size() != size)
            return {};
        bytes.prepend(step);
        newlines += step.count('\n');
        begin -= size;
    }
    if (bytes.isEmpty())
        return {};
    if (bytes.endsWith('\n'))
        bytes.chop(1);
    QList<QByteArray> lines = bytes.split('\n');
    return lines.mid(std::max(qsizetype(0), lines.size() - count));
}

ByteOffset offsetOfLastLines(const QString &path, int count)
{
    constexpr qint64 stepBytes = 64 * 1024;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly) || file.isSequential())
        return {};
    if (count <= 0)
        return ByteOffset(file.size());
    // The line end that closes the last line starts no further one.
    qint64 end = file.size();
    if (end > 0 && file.seek(end - 1) && file.read(1) == "\n")
        --end;
    int newlines = 0;
    while (end > 0) {
        const qint64 size = std::min(stepBytes, end);
        if (!file.seek(end - size))
            return {};
        const QByteArray step = file.read(size);
        for (qsizetype at = step.size(); (at = step.lastIndexOf('\n', at - 1)) >= 0;) {
            if (++newlines == count)
                return ByteOffset(end - size + at + 1);
            if (at == 0)
                break;
        }
        end -= size;
    }
    return {};
}

} // namespace rankdeck

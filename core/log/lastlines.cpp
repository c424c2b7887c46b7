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

} // namespace rankdeck

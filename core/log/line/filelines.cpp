#include "log/line/filelines.h"

#include "base/regularfile.h"

#include <cstring>
#include <vector>

namespace rankdeck
{

constexpr qint64 pieceBytes = 64 * 1024;
constexpr qint64 blockBytes = 1024 * 1024;
constexpr qint64 stepBytes = 64 * 1024;

/// Returns where the last `count` lines begin, `lowest` at least; nothing if the file cannot be read.
static std::optional<qint64> beginOfLastLines(QFile &file, int count, qint64 lowest)
{
    // The line end that closes the last line starts no further one.
    qint64 end = file.size();
    if (end > lowest && file.seek(end - 1) && file.read(1) == "\n")
        --end;
    int newlines = 0;
    while (end > lowest) {
        const qint64 size = std::min(stepBytes, end - lowest);
        if (!file.seek(end - size))
            return std::nullopt;
        const QByteArray step = file.read(size);
        if (step.size() != size)
            return std::nullopt;
        for (qsizetype at = step.size(); at > 0 && (at = step.lastIndexOf('\n', at - 1)) >= 0;) {
            if (++newlines == count)
                return end - size + at + 1;
        }
        end -= size;
    }
    return lowest;
}

QList<QByteArray> lastLines(const QString &path, int count, qint64 maxBytes)
{
    RegularFile file(path);
    if (count <= 0 || maxBytes <= 0 || !file.open(QIODevice::ReadOnly))
        return {};
    const auto begin = beginOfLastLines(file, count, std::max<qint64>(0, file.size() - maxBytes));
    if (!begin || !file.seek(*begin))
        return {};
    QByteArray bytes = file.read(maxBytes);
    if (bytes.isEmpty())
        return {};
    if (bytes.endsWith('\n'))
        bytes.chop(1);
    const QList<QByteArray> lines = bytes.split('\n');
    // The file may have grown since its size was read.
    return lines.last(std::min<qsizetype>(count, lines.size()));
}

ByteOffset offsetOfLastLines(const QString &path, int count)
{
    RegularFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return ByteOffset(count > 0 ? beginOfLastLines(file, count, 0).value_or(0) : file.size());
}

Result<qint64> scanLines(QIODevice &input, const std::function<bool(const ScannedLine &)> &take)
{
    std::vector<char> block(blockBytes + pieceBytes);
    qint64 kept = 0; // The beginning of a line whose end has not been read yet.
    qint64 lines = 0;
    qint64 before = 0; // Bytes before the block.
    bool isInLine = false;
    while (true) {
        const qint64 size = input.read(block.data() + kept, blockBytes);
        if (size < 0)
            return Error{tr("cannot be read further: %1").arg(problemOf(input)), {}, {}};
        if (size == 0)
            break;
        const char *begin = block.data();
        const char *const end = begin + kept + size;
        const auto pass = [&](qint64 bytes) {
            const ByteOffset at(before + (begin - block.data()) + bytes);
            return take({QByteArrayView(begin, bytes), LineNumber(lines), at});
        };
        while (const auto *newline =
                   static_cast<const char *>(std::memchr(begin, '\n', std::size_t(end - begin)))) {
            for (; newline - begin > pieceBytes; begin += pieceBytes) {
                if (!pass(pieceBytes))
                    return lines + 1;
            }
            const bool goesOn = pass(newline - begin);
            ++lines;
            begin = newline + 1;
            isInLine = false;
            if (!goesOn)
                return lines;
        }
        for (; end - begin > pieceBytes; begin += pieceBytes) {
            if (!pass(pieceBytes))
                return lines + 1;
            isInLine = true;
        }
        before += begin - block.data();
        kept = end - begin;
        std::memmove(block.data(), begin, std::size_t(kept));
    }
    if (kept > 0)
        take({QByteArrayView(block.data(), kept), LineNumber(lines), ByteOffset(before + kept)});
    return lines + (kept > 0 || isInLine ? 1 : 0);
}

} // namespace rankdeck

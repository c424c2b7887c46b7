#include "log/linescan.h"

#include <QCoreApplication>

#include <cstring>
#include <vector>

namespace rankdeck
{

namespace
{

constexpr qint64 pieceBytes = 64 * 1024;
constexpr qint64 blockBytes = 1024 * 1024;

} // namespace

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
            return Error{
                QCoreApplication::translate("LineScan", "cannot be read on: %1").arg(input.errorString()),
                {},
                {}};
        if (size == 0)
            break;
        const char *begin = block.data();
        const char *const end = begin + kept + size;
        const auto pass = [&](qint64 bytes) {
            const ByteOffset at(before + (begin - block.data()) + bytes);
            return take({QByteArrayView(begin, bytes), LineNumber(lines), at});
        };
        while (const auto *newline = static_cast<const char *>(
                   std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)))) {
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
        std::memmove(block.data(), begin, static_cast<std::size_t>(kept));
    }
    if (kept > 0)
        take({QByteArrayView(block.data(), kept), LineNumber(lines), ByteOffset(before + kept)});
    return lines + (kept > 0 || isInLine ? 1 : 0);
}

} // namespace rankdeck

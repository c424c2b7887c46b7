#include "diagnosis/errorscan.h"

#include "log/ansidecoder.h"

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

Result<qint64> scanForErrors(QIODevice &input, const ErrorCatalogue &catalogue,
                             const std::function<void(const KnownLine &)> &take)
{
    std::vector<char> block(blockBytes + pieceBytes);
    qint64 kept = 0; // The beginning of a line whose end has not been read yet.
    qint64 lines = 0;
    bool isInLine = false;
    const auto look = [&](const char *begin, qint64 size) {
        const QByteArrayView text(begin, size);
        const ErrorEntry *entry = catalogue.bestFor({begin, static_cast<std::size_t>(size)});
        // A colour's escape sequence ends in a letter, which hides where the word behind it begins.
        if (!entry && text.contains('\x1b'))
            entry = catalogue.bestFor(AnsiDecoder::plainText(text).toStdString());
        if (entry)
            take({*entry, LineNumber(lines), text});
    };

    while (true) {
        const qint64 size = input.read(block.data() + kept, blockBytes);
        if (size < 0)
            return Error{
                QCoreApplication::translate("ErrorScan", "cannot be read on: %1").arg(input.errorString()),
                {},
                {}};
        if (size == 0)
            break;
        const char *begin = block.data();
        const char *const end = begin + kept + size;
        while (const auto *newline = static_cast<const char *>(
                   std::memchr(begin, '\n', static_cast<std::size_t>(end - begin)))) {
            for (; newline - begin > pieceBytes; begin += pieceBytes)
                look(begin, pieceBytes);
            look(begin, newline - begin);
            ++lines;
            begin = newline + 1;
            isInLine = false;
        }
        for (; end - begin > pieceBytes; begin += pieceBytes) {
            look(begin, pieceBytes);
            isInLine = true;
        }
        kept = end - begin;
        std::memmove(block.data(), begin, static_cast<std::size_t>(kept));
    }
    if (kept > 0)
        look(block.data(), kept);
    return lines + (kept > 0 || isInLine ? 1 : 0);
}

} // namespace rankdeck

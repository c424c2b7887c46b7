#include "diagnosis/catalogue/errorscan.h"

#include "log/ansidecoder.h"
#include "log/linescan.h"

namespace rankdeck
{

Result<qint64> scanForErrors(QIODevice &input, const ErrorCatalogue &catalogue,
                             const std::function<void(const KnownLine &)> &take)
{
    return scanLines(input, [&](const ScannedLine &scanned) {
        const QByteArrayView text = scanned.text;
        const ErrorEntry *entry = catalogue.bestFor({text.data(), static_cast<std::size_t>(text.size())});
        // A colour's escape sequence ends in a letter, which hides where the word behind it begins.
        if (!entry && text.contains('\x1b'))
            entry = catalogue.bestFor(AnsiDecoder::plainText(text).toStdString());
        if (entry)
            take({*entry, scanned.line, text});
        return true;
    });
}

} // namespace rankdeck

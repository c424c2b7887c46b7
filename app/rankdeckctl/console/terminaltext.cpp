#include "rankdeckctl/console/terminaltext.h"

#include "rankdeckctl/console/output.h"

#include <algorithm>

namespace rankdeck
{

static bool isPlainAscii(char byte)
{
    return (byte >= ' ' && byte <= '~') || byte == '\t' || byte == '\n';
}

/// Returns the size of the SGR sequence at the beginning of `text`, which is an escape character; 0: it is
/// another one.
static qsizetype sgrSize(QStringView text)
{
    if (text.size() < 2 || text[1] != '['_L1)
        return 0;
    qsizetype at = 2;
    while (at < text.size() && (text[at].isDigit() || text[at] == ';'_L1 || text[at] == ':'_L1))
        ++at;
    return at < text.size() && text[at] == 'm'_L1 ? at + 1 : 0;
}

/// Spells out a control character of ASCII as terminals echo it: "^[".
static QString caretText(QChar character)
{
    constexpr char16_t shift = 0x40;
    return u'^' + QString(QChar(char16_t(character.unicode() ^ shift)));
}

QByteArray terminalText(QByteArrayView text)
{
    if (std::all_of(text.begin(), text.end(), isPlainAscii))
        return text.toByteArray();
    const QString decoded = QString::fromUtf8(text);
    QString shown;
    shown.reserve(decoded.size());
    constexpr char16_t asciiControls = 0x20;
    constexpr char16_t del = 0x7f;
    for (qsizetype at = 0; at < decoded.size(); ++at) {
        const QChar character = decoded[at];
        const qsizetype sgr = character == '\x1b'_L1 ? sgrSize(QStringView(decoded).sliced(at)) : 0;
        if (sgr > 0) {
            shown += QStringView(decoded).sliced(at, sgr);
            at += sgr - 1;
        } else if (character == '\t'_L1 || character == '\n'_L1 || character == '\r'_L1) {
            shown += character;
        } else if (character < asciiControls || character == del) {
            shown += caretText(character);
        } else {
            shown += visibleText(character);
        }
    }
    return shown.toUtf8();
}

} // namespace rankdeck

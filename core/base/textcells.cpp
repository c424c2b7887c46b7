#include "base/textcells.h"

#include <algorithm>
#include <cwchar>

namespace rankdeck
{

/// Whether a character is as wide as a Chinese one, in a locale that does not know.
static bool isWide(char32_t character)
{
    return (character >= 0x2e80 && character <= 0xa4cf) || (character >= 0xac00 && character <= 0xd7a3) ||
           (character >= 0xf900 && character <= 0xfaff) || (character >= 0xfe30 && character <= 0xfe6f) ||
           (character >= 0xff00 && character <= 0xff60) || (character >= 0xffe0 && character <= 0xffe6) ||
           (character >= 0x20000 && character <= 0x3ffff);
}

int cellsOf(char32_t character)
{
    const int cells = ::wcwidth(static_cast<wchar_t>(character));
    return cells >= 0 ? cells : isWide(character) ? 2 : 1;
}

static char32_t characterAt(QStringView text, qsizetype at)
{
    return text[at].isHighSurrogate() && at + 1 < text.size() ? QChar::surrogateToUcs4(text[at], text[at + 1])
                                                              : text[at].unicode();
}

static qsizetype unitsOf(char32_t character)
{
    return QChar::requiresSurrogates(character) ? 2 : 1;
}

int cellsOf(QStringView text)
{
    int cells = 0;
    for (qsizetype at = 0; at < text.size();) {
        const char32_t character = characterAt(text, at);
        cells += cellsOf(character);
        at += unitsOf(character);
    }
    return cells;
}

qsizetype unitsIn(QStringView text, qsizetype at, int cells)
{
    qsizetype end = at;
    while (end < text.size()) {
        const char32_t character = characterAt(text, end);
        cells -= cellsOf(character);
        if (cells < 0)
            break;
        end += unitsOf(character);
    }
    return end - at;
}

QString filled(const QString &text, int cells, bool isAlignedRight)
{
    const QString blanks(std::max(0, cells - cellsOf(text)), QLatin1Char(' '));
    return isAlignedRight ? blanks + text : text + blanks;
}

QString inCells(const QString &text, int cells, bool isAlignedRight)
{
    if (cellsOf(text) <= cells)
        return filled(text, cells, isAlignedRight);
    const QString begin = text.left(unitsIn(text, 0, std::max(0, cells - 1)));
    return filled(begin + QString(std::min(1, cells), QChar(0x2026)), cells);
}

/// Whether a line may end between two characters that no blank separates.
static bool mayBreak(char32_t before, char32_t after)
{
    static const QString closing = QStringLiteral("，。、：；？！）》”’…%");
    static const QString opening = QStringLiteral("（《“‘");
    if (cellsOf(before) < 2 && cellsOf(after) < 2)
        return false;
    const auto isOneOf = [](char32_t character, const QString &characters) {
        return !QChar::requiresSurrogates(character) && characters.contains(QChar(char16_t(character)));
    };
    return !isOneOf(after, closing) && !isOneOf(before, opening);
}

/// Returns the pieces of the text between which a line may end; each keeps the blank before it.
static QStringList piecesOf(const QString &text)
{
    QStringList pieces;
    for (const QString &word : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        qsizetype begin = 0;
        const auto take = [&](qsizetype end) {
            pieces << (begin == 0 && !pieces.isEmpty() ? QStringLiteral(" ") : QString()) +
                          word.mid(begin, end - begin);
            begin = end;
        };
        char32_t before = 0;
        for (qsizetype at = 0; at < word.size();) {
            const char32_t character = characterAt(word, at);
            if (at > 0 && mayBreak(before, character))
                take(at);
            before = character;
            at += unitsOf(character);
        }
        take(word.size());
    }
    return pieces;
}

QStringList brokenLines(const QString &text, int cellsOfFirst, int cells)
{
    QStringList lines{QString()};
    for (const QString &piece : piecesOf(text)) {
        const int room = lines.size() == 1 ? cellsOfFirst : cells;
        if (!lines.last().isEmpty() && cellsOf(lines.last()) + cellsOf(piece) > room)
            lines << QString();
        lines.last() += lines.last().isEmpty() ? piece.trimmed() : piece;
    }
    return lines;
}

} // namespace rankdeck

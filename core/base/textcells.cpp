#include "base/textcells.h"

#include <utf8proc.h>

#include <algorithm>

namespace rankdeck
{

static char32_t codePointAt(QStringView text, qsizetype at, qsizetype *size)
{
    const QChar c = text[at];
    *size = 1;
    if (c.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate()) {
        *size = 2;
        return QChar::surrogateToUcs4(c, text[at + 1]);
    }
    return c.unicode();
}

int cellWidth(char32_t codePoint)
{
    if (codePoint < 0x300)
        return 1;
    if (codePoint >= 0x1160 && codePoint <= 0x11FF)
        return 0; // Hangul vowels and finals join the initial.
    const int width = utf8proc_charwidth(utf8proc_int32_t(codePoint));
    if (width > 0)
        return width;
    // utf8proc gives unassigned characters no width either; they must not vanish in their neighbour.
    switch (utf8proc_category(utf8proc_int32_t(codePoint))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
        return 0;
    default:
        return 1;
    }
}

int cellWidth(QStringView text)
{
    int cells = 0;
    for (qsizetype at = 0; at < text.size();) {
        const Cluster cluster = clusterAt(text, at);
        cells += cluster.cells;
        at += cluster.size;
    }
    return cells;
}

Cluster clusterAt(QStringView text, qsizetype begin)
{
    qsizetype size = 0;
    const int cells = cellWidth(codePointAt(text, begin, &size));
    qsizetype end = begin + size;
    while (end < text.size() && text[end].unicode() >= 0x300 && cellWidth(codePointAt(text, end, &size)) == 0)
        end += size;
    return {begin, end - begin, std::max(1, cells)};
}

qsizetype unitsIn(QStringView text, qsizetype at, int cells)
{
    qsizetype end = at;
    while (end < text.size()) {
        const Cluster cluster = clusterAt(text, end);
        cells -= cluster.cells;
        if (cells < 0)
            break;
        end += cluster.size;
    }
    return end - at;
}

QString filled(const QString &text, int cells, bool isAlignedRight)
{
    const QString blanks(std::max(0, cells - cellWidth(text)), ' '_L1);
    return isAlignedRight ? blanks + text : text + blanks;
}

QString inCells(const QString &text, int cells, bool isAlignedRight)
{
    if (cellWidth(text) <= cells)
        return filled(text, cells, isAlignedRight);
    const QString begin = text.left(unitsIn(text, 0, std::max(0, cells - 1)));
    return filled(begin + QString(std::min(1, cells), QChar(0x2026)), cells);
}

/// Whether a line may end between two characters that no blank separates.
static bool mayBreak(char32_t before, char32_t after)
{
    static const QString closing = u"，。、：；？！）》”’…%"_s;
    static const QString opening = u"（《“‘"_s;
    if (cellWidth(before) < 2 && cellWidth(after) < 2)
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
    for (const QString &word : text.split(' '_L1, Qt::SkipEmptyParts)) {
        qsizetype begin = 0;
        const auto take = [&](qsizetype end) {
            pieces << (begin == 0 && !pieces.isEmpty() ? u" "_s : QString()) + word.mid(begin, end - begin);
            begin = end;
        };
        char32_t before = 0;
        for (qsizetype at = 0; at < word.size();) {
            qsizetype size = 0;
            const char32_t character = codePointAt(word, at, &size);
            if (at > 0 && mayBreak(before, character))
                take(at);
            before = character;
            at += size;
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
        if (!lines.last().isEmpty() && cellWidth(lines.last()) + cellWidth(piece) > room)
            lines << QString();
        lines.last() += lines.last().isEmpty() ? piece.trimmed() : piece;
    }
    return lines;
}

} // namespace rankdeck

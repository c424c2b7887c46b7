#include "canvas/cells/celltext.h"

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

/// Returns the length of the longest prefix of `text` that takes at most `cells`.
static qsizetype fittingLength(QStringView text, int cells)
{
    int taken = 0;
    for (qsizetype begin = 0; begin < text.size();) {
        const Cluster cluster = clusterAt(text, begin);
        taken += cluster.cells;
        if (taken > cells)
            return begin;
        begin += cluster.size;
    }
    return text.size();
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

QString elidedToCells(const QString &text, int cells)
{
    if (cells <= 0)
        return {};
    QString shown = text;
    std::ranges::replace_if(
        shown, [](QChar each) { return each.category() == QChar::Other_Control; }, QChar(QChar::Space));
    if (fittingLength(shown, cells) == shown.size())
        return shown;
    return shown.left(fittingLength(shown, cells - 1)) + QChar(0x2026);
}

QStringList brokenToCells(const QString &text, int cells, int rows)
{
    QStringList broken;
    QString rest = text;
    while (rows > broken.size() + 1) {
        const qsizetype fits = fittingLength(rest, cells);
        if (fits == rest.size() || fits == 0)
            break;
        // A break in the middle of a word is better than a row that is mostly empty.
        const qsizetype space = rest.lastIndexOf(QLatin1Char(' '), fits);
        const qsizetype end = space > fits / 2 ? space : fits;
        broken.append(elidedToCells(rest.left(end), cells));
        rest = rest.mid(end).trimmed();
    }
    broken.append(elidedToCells(rest, cells));
    return broken;
}

} // namespace rankdeck

#include "canvas/cellwidth.h"

#include <utf8proc.h>

#include <algorithm>

namespace rankdeck
{

namespace
{

char32_t codePointAt(QStringView text, qsizetype at, qsizetype *size)
{
    const QChar c = text[at];
    *size = 1;
    if (c.isHighSurrogate() && at + 1 < text.size() && text[at + 1].isLowSurrogate()) {
        *size = 2;
        return QChar::surrogateToUcs4(c, text[at + 1]);
    }
    return c.unicode();
}

} // namespace

int cellWidth(char32_t codePoint)
{
    if (codePoint < 0x300)
        return 1;
    if (codePoint >= 0x1160 && codePoint <= 0x11FF)
        return 0; // Hangul vowels and finals join the initial.
    const int width = utf8proc_charwidth(utf8proc_int32_t(codePoint));
    if (width > 0)
        return width;
    // utf8proc also has no width for what is unassigned; such a character still must not vanish in its
    // neighbour.
    switch (utf8proc_category(utf8proc_int32_t(codePoint))) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
        return 0;
    default:
        return codePoint >= 0x1160 && codePoint <= 0x11FF ? 0
                                                          : 1; // Hangul vowels and finals join the initial.
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

} // namespace rankdeck

#include "canvas/cells/celltext.h"

#include <algorithm>

namespace rankdeck
{

QString elidedToCells(const QString &text, int cells)
{
    if (cells <= 0)
        return {};
    QString shown = text;
    std::ranges::replace_if(
        shown, [](QChar each) { return each.category() == QChar::Other_Control; }, QChar(QChar::Space));
    if (unitsIn(shown, 0, cells) == shown.size())
        return shown;
    return shown.left(unitsIn(shown, 0, cells - 1)) + QChar(0x2026);
}

QStringList brokenToCells(const QString &text, int cells, int rows)
{
    QStringList broken;
    QString rest = text;
    while (rows > broken.size() + 1) {
        const qsizetype fits = unitsIn(rest, 0, cells);
        if (fits == rest.size() || fits == 0)
            break;
        // A break in the middle of a word is better than a row that is mostly empty.
        const qsizetype space = rest.lastIndexOf(' '_L1, fits);
        const qsizetype end = space > fits / 2 ? space : fits;
        broken.append(elidedToCells(rest.left(end), cells));
        rest = rest.mid(end).trimmed();
    }
    broken.append(elidedToCells(rest, cells));
    return broken;
}

} // namespace rankdeck

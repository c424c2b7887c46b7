#include "canvas/celltext.h"

#include "canvas/cellwidth.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Length of the longest beginning of `text` that takes at most `cells`.
qsizetype fittingLength(QStringView text, int cells)
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

} // namespace

QString elidedToCells(const QString &text, int cells)
{
    if (cells <= 0)
        return {};
    QString shown = text;
    std::replace_if(
        shown.begin(), shown.end(), [](QChar each) { return each.category() == QChar::Other_Control; },
        QChar(QChar::Space));
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

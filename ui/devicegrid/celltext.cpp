#include "devicegrid/celltext.h"

#include "canvas/cellwidth.h"

#include <algorithm>

namespace rankdeck
{

QString elidedToCells(const QString &text, int cells)
{
    if (cells <= 0)
        return {};
    QString shown = text;
    std::replace_if(
        shown.begin(), shown.end(), [](QChar each) { return each.category() == QChar::Other_Control; },
        QChar(QChar::Space));
    int taken = 0;
    qsizetype fits = 0; // Length that leaves a cell for the ellipsis.
    for (qsizetype begin = 0; begin < shown.size();) {
        const Cluster cluster = clusterAt(shown, begin);
        taken += cluster.cells;
        if (taken > cells)
            return shown.left(fits) + QChar(0x2026);
        begin += cluster.size;
        if (taken < cells)
            fits = begin;
    }
    return shown;
}

} // namespace rankdeck

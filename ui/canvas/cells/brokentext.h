#pragma once

#include "canvas/cells/canvas.h"
#include "canvas/cells/celltext.h"

namespace rankdeck
{

/// Draws text from `at` down in rows of at most `cells`, broken between words and cut at the canvas's end.
inline void drawBroken(Canvas &canvas, const QPoint &at, const QString &text, int cells,
                       const TextStyle &style)
{
    const int rowHeight = canvas.cellSize().height();
    QPoint place = at;
    for (const QString &row : brokenToCells(text, cells, std::max(canvas.size().height() / rowHeight, 1))) {
        if (!row.isEmpty())
            canvas.text(place, row, style, QRect(QPoint(), canvas.size()));
        place.ry() += rowHeight;
    }
}

} // namespace rankdeck

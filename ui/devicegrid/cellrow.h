#pragma once

#include "canvas/canvas.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// Text within a row of character cells.
struct RowPart {
    int column = 0; ///< Where it begins.
    QString text;
    TextStyle style; ///< Its background is the row's.
};

/// What stands in one row of character cells; parts do not overlap.
using CellRow = QList<RowPart>;

/// Draw `row` from `topLeft` on, over `columns` character cells. When `before` is what is there already, only
/// the characters that differ are drawn, on `background`; else what is beneath stays.
void drawRow(Canvas &canvas, const QPoint &topLeft, int columns, const QColor &background, const CellRow &row,
             const CellRow *before);

} // namespace rankdeck

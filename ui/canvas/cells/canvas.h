#pragma once

#include "canvas/cells/celltext.h"

#include <QColor>
#include <QRect>
#include <QSize>

namespace rankdeck
{

/// The colours and font style of a piece of text.
struct TextStyle {
    QColor foreground;
    QColor background; ///< Invalid: the pixels behind the text stay as they are.
    bool bold = false;
    bool underline = false;

    bool operator==(const TextStyle &) const = default;
};

/// A pixel area with a grid of character cells, on which grids, panes and plots draw. The interface is so
/// small that an X server can do the drawing. Coordinates are device-independent pixels from the top left.
/// Nothing shows until present(). Fonts are monospaced; a Han character takes two cells.
class Canvas
{
public:
    virtual ~Canvas() = default;

    /// Returns the size of a character cell, in whole pixels.
    virtual QSize cellSize() const = 0;
    virtual QSize size() const = 0;

    virtual void fill(const QRect &area, const QColor &color) = 0;
    /// Draws `text`, without control characters, from the top left of its first cell on, clipped to `clip`.
    virtual void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) = 0;
    /// Moves the pixels of `area` by `dy`; those that come in at the edge are undefined until drawn.
    virtual void scroll(const QRect &area, int dy) = 0;
    /// Shows everything drawn since the last present(). Returns whether anything was sent to the display
    /// already; drawings by Qt are sent later.
    virtual bool present() = 0;
};

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

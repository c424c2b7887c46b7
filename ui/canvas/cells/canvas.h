#pragma once

#include "base/tr.h"

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

} // namespace rankdeck

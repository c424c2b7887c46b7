#pragma once

#include <QColor>
#include <QRect>
#include <QSize>
#include <QStringView>

namespace rankdeck
{

/// How a run of text looks.
struct TextStyle {
    QColor foreground;
    QColor background; ///< Invalid: what is there stays.
    bool bold = false;
    bool underline = false;

    bool operator==(const TextStyle &) const = default;
};

/// What the device grid and the log panes draw through: a cell grid over a pixel area, small enough that an X
/// server can do the drawing. Coordinates are device-independent pixels from the top left. Nothing shows
/// until present(). Fonts are monospaced; a Han character takes two cells.
class Canvas
{
public:
    virtual ~Canvas() = default;

    /// One cell, whole pixels.
    virtual QSize cellSize() const = 0;
    virtual QSize size() const = 0;

    virtual void fill(const QRect &area, const QColor &color) = 0;
    /// Draw `text` with its first cell's top left at `topLeft`, not beyond `clip`. Control characters must be
    /// gone.
    virtual void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) = 0;
    /// Move the pixels of `area` by `dy`; what comes in at the edge is undefined until drawn.
    virtual void scroll(const QRect &area, int dy) = 0;
    /// Show what was drawn since the last present(). Whether anything is on its way to the display now; what
    /// Qt paints is so only once it does.
    virtual bool present() = 0;
};

} // namespace rankdeck

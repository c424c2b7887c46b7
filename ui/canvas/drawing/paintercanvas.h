#pragma once

#include "canvas/cells/canvas.h"
#include "canvas/cells/cellfont.h"

class QPainter;

namespace rankdeck
{

/// Draws text in cells as all canvases show it.
/// @param visible the visible part; changes the painter's clip.
void paintCells(QPainter &painter, const CellFont &font, const QPoint &topLeft, QStringView text,
                const TextStyle &style, const QRect &visible);

/// Draws with a painter on any paint device, such as a page of a PDF. Everything must be drawn again each
/// time: earlier drawings cannot be moved.
class PainterCanvas : public Canvas
{
public:
    /// @param font as the widget has it that is drawn.
    PainterCanvas(QPainter &painter, const QSize &size, const QFont &font, qreal devicePixelRatio)
        : m_painter(painter)
        , m_size(size)
        , m_font(font, devicePixelRatio)
    {
    }

    QSize cellSize() const override { return m_font.cellSize(); }
    QSize size() const override { return m_size; }
    void fill(const QRect &area, const QColor &color) override;
    void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) override;
    void scroll(const QRect &, int) override {}
    bool present() override { return false; }

private:
    QPainter &m_painter;
    QSize m_size;
    CellFont m_font;
};

} // namespace rankdeck

#include "canvas/canvaslabel.h"

#include "canvas/cellwidth.h"

namespace rankdeck
{

void CanvasLabel::setText(const QString &text)
{
    if (text == m_text)
        return;
    const QSize before = sizeHint();
    m_text = text;
    if (sizeHint() != before)
        updateGeometry();
    schedule();
}

QSize CanvasLabel::sizeHint() const
{
    const QSize cell = canvas().cellSize();
    return {cellWidth(m_text) * cell.width(), cell.height()};
}

void CanvasLabel::drawCanvas(Canvas &canvas, bool everything)
{
    if (!everything && m_text == m_drawn)
        return;
    m_drawn = m_text;
    const QRect area(QPoint(), canvas.size());
    canvas.fill(area, palette().color(backgroundRole()));
    const QPoint at(area.width() - cellWidth(m_text) * canvas.cellSize().width(),
                    (area.height() - canvas.cellSize().height()) / 2);
    canvas.text(at, m_text, {palette().color(foregroundRole()), {}}, area);
}

} // namespace rankdeck

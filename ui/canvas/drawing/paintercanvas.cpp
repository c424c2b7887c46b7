#include "canvas/drawing/paintercanvas.h"

#include <QPainter>

#include <algorithm>

namespace rankdeck
{

/// Returns how many ASCII characters can be drawn at once; one with a combining mark cannot.
static qsizetype asciiRunLength(QStringView text, qsizetype begin)
{
    qsizetype end = begin;
    while (end < text.size() && text[end].unicode() >= 0x20 && text[end].unicode() < 0x7F)
        ++end;
    if (end > begin && end < text.size() && clusterAt(text, end - 1).size > 1)
        --end;
    return end - begin;
}

void paintCells(QPainter &painter, const CellFont &font, const QPoint &topLeft, QStringView text,
                const TextStyle &style, const QRect &visible)
{
    if (style.background.isValid())
        painter.fillRect(visible, style.background);
    painter.setPen(style.foreground);
    painter.setFont(font.font(style.bold));

    const int baseline = topLeft.y() + font.baseline();
    int x = topLeft.x();
    for (qsizetype at = 0; at < text.size() && x <= visible.right();) {
        const qsizetype ascii = font.asciiFitsCells(style.bold) ? asciiRunLength(text, at) : 0;
        if (ascii > 0) {
            painter.drawText(QPointF(x, baseline), text.sliced(at, ascii).toString());
            at += ascii;
            x += int(ascii) * font.cellSize().width();
            continue;
        }
        const Cluster cluster = clusterAt(text, at);
        const QStringView drawn = text.sliced(cluster.begin, cluster.size);
        const QRect cells(x, topLeft.y(), cluster.cells * font.cellSize().width(), font.cellSize().height());
        // Fonts let block characters overlap; a blank beside one must stay blank.
        const bool isBlock = drawn.front() >= u'\u2580' && drawn.front() <= u'\u259f';
        if (isBlock)
            painter.setClipRect(cells & visible);
        if (drawn != QStringView(u" ") && cells.intersects(visible))
            painter.drawText(QPointF(x + font.indent(drawn, cluster.cells, style.bold), baseline),
                             drawn.toString());
        if (isBlock)
            painter.setClipRect(visible);
        at += cluster.size;
        x += cells.width();
    }
    if (style.underline) {
        const int width = rankdeck::cellWidth(text) * font.cellSize().width();
        const int y =
            std::min(baseline + 2, topLeft.y() + font.cellSize().height() - font.underlineThickness());
        painter.fillRect(QRect(topLeft.x(), y, width, font.underlineThickness()), style.foreground);
    }
}

void PainterCanvas::fill(const QRect &area, const QColor &color)
{
    const QRect visible = area & QRect(QPoint(), m_size);
    if (!visible.isEmpty())
        m_painter.fillRect(visible, color);
}

void PainterCanvas::text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip)
{
    const QSize cell = cellSize();
    const QRect area(topLeft, QSize(rankdeck::cellWidth(text) * cell.width(), cell.height()));
    const QRect visible = area & clip & QRect(QPoint(), m_size);
    if (visible.isEmpty())
        return;
    m_painter.save();
    // A clip for each word would make most of a file.
    if (visible != area)
        m_painter.setClipRect(visible);
    paintCells(m_painter, m_font, topLeft, text, style, visible);
    m_painter.restore();
}

} // namespace rankdeck

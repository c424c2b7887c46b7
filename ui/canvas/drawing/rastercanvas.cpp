#include "canvas/drawing/rastercanvas.h"

#include "canvas/drawing/paintercanvas.h"

#include <QPainter>
#include <QWidget>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace rankdeck
{

void RasterCanvas::reset(const QSize &size, const QFont &font, qreal devicePixelRatio)
{
    const bool sameFont = devicePixelRatio == m_image.devicePixelRatio() && font == m_likeFont;
    if (!sameFont || m_image.isNull()) {
        m_font = CellFont(font, devicePixelRatio);
        m_likeFont = font;
    }
    m_size = size.expandedTo(QSize(0, 0));
    m_image = QImage(int(std::ceil(m_size.width() * devicePixelRatio)),
                     int(std::ceil(m_size.height() * devicePixelRatio)), QImage::Format_RGB32);
    m_image.setDevicePixelRatio(devicePixelRatio);
    m_image.fill(Qt::black);
    m_dirty = bounds();
    m_moves.clear();
}

void RasterCanvas::fill(const QRect &area, const QColor &color)
{
    const QRect visible = area & bounds();
    if (visible.isEmpty())
        return;
    m_dirty += visible;
    const int ratio = int(m_image.devicePixelRatio());
    if (ratio != m_image.devicePixelRatio() || color.alpha() < 255) {
        QPainter(&m_image).fillRect(visible, color);
        return;
    }
    // Thousands of small areas in a frame: a painter for each would take most of the time.
    const QRgb pixel = color.rgb();
    const auto width = qsizetype(visible.width()) * ratio;
    for (int y = visible.top() * ratio; y < (visible.bottom() + 1) * ratio; ++y) {
        auto *const row = reinterpret_cast<QRgb *>(m_image.scanLine(y)) + qsizetype(visible.left()) * ratio;
        std::fill(row, row + width, pixel);
    }
}

void RasterCanvas::text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip)
{
    const QSize cell = cellSize();
    const QRect area(topLeft, QSize(rankdeck::cellWidth(text) * cell.width(), cell.height()));
    const QRect visible = area & clip & bounds();
    if (visible.isEmpty())
        return;
    QPainter painter(&m_image);
    painter.setClipRect(visible);
    paintCells(painter, m_font, topLeft, text, style, visible);
    m_dirty += visible;
}

void RasterCanvas::scroll(const QRect &area, int dy)
{
    const QRect visible = area & bounds();
    if (visible.isEmpty() || dy == 0)
        return;
    if (std::abs(dy) >= visible.height()) {
        m_dirty += visible;
        return;
    }

    const qreal ratio = m_image.devicePixelRatio();
    const int left = int(std::round(visible.left() * ratio));
    const int top = int(std::round(visible.top() * ratio));
    const int width = std::min(m_image.width(), int(std::round((visible.right() + 1) * ratio))) - left;
    const int bottom = std::min(m_image.height(), int(std::round((visible.bottom() + 1) * ratio)));
    const int shift = int(std::round(dy * ratio));
    const auto row = [&](int y) {
        return m_image.scanLine(y) + qsizetype(left) * 4;
    };
    const size_t bytes = size_t(width) * 4;
    if (shift < 0) {
        for (int y = top; y < bottom + shift; ++y)
            std::memcpy(row(y), row(y - shift), bytes);
    } else {
        for (int y = bottom - 1; y >= top + shift; --y)
            std::memcpy(row(y), row(y - shift), bytes);
    }

    const QRegion moved = (m_dirty & visible).translated(0, dy) & visible;
    const QRegion uncovered = QRegion(visible) - visible.translated(0, dy);
    m_dirty = (m_dirty - visible) + moved + uncovered;
    m_moves.append({visible, dy});
}

bool RasterCanvas::present()
{
    const Changes changes = takeChanges();
    if (m_widget) {
        // In this order, because the screen still shows the old image.
        for (const Move &move : changes.moves)
            m_widget->scroll(0, move.dy, move.area);
        m_widget->update(changes.dirty);
    }
    return false;
}

bool RasterCanvas::expose(const QRegion &region)
{
    if (!m_widget)
        return false;
    QPainter painter(m_widget);
    painter.setClipRegion(region);
    painter.drawImage(QPointF(0, 0), m_image);
    m_dirty -= region;
    return true;
}

} // namespace rankdeck

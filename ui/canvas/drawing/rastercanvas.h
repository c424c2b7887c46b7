#pragma once

#include "canvas/cells/cellfont.h"
#include "canvas/drawing/displaybackend.h"

#include <QImage>

namespace rankdeck
{

/// The back end that works everywhere: draws with QPainter into an image in device pixels.
class RasterCanvas : public WidgetCanvas
{
public:
    /// Without a widget it only draws into image().
    explicit RasterCanvas(QWidget *widget = nullptr)
        : m_widget(widget)
    {
    }

    QSize cellSize() const override { return m_font.cellSize(); }
    QSize size() const override { return m_size; }
    void fill(const QRect &area, const QColor &color) override;
    void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) override;
    void scroll(const QRect &area, int dy) override;
    bool present() override;

    void reset(const QSize &size, const QFont &font, qreal devicePixelRatio) override;
    qreal devicePixelRatio() const override { return m_image.devicePixelRatio(); }
    bool expose(const QRegion &region) override;

    const QImage &image() const { return m_image; }
    /// Returns the area drawn since the last present().
    QRegion dirtyRegion() const { return m_dirty; }

    struct Move {
        QRect area;
        int dy;
    };
    /// The way from the last presented state to the image: the moves in this order, then the dirty region.
    struct Changes {
        QList<Move> moves;
        QRegion dirty;
    };
    /// Returns the changes since the last call and forgets them, for back ends with another present().
    Changes takeChanges() { return {std::exchange(m_moves, {}), std::exchange(m_dirty, {})}; }

private:
    QRect bounds() const { return {QPoint(), m_size}; }

    QWidget *m_widget;
    QImage m_image;
    QSize m_size;
    CellFont m_font;
    QFont m_likeFont;
    QRegion m_dirty;
    QList<Move> m_moves;
};

} // namespace rankdeck

#pragma once

#include "canvas/cellfont.h"
#include "canvas/widgetcanvas.h"

#include <QImage>
#include <QList>

namespace rankdeck
{

/// The back end that works everywhere: QPainter into an image in device pixels.
class RasterCanvas : public WidgetCanvas
{
public:
    /// Without a widget it can be drawn on and looked at (image()), but shows nothing.
    explicit RasterCanvas(QWidget *widget = nullptr);

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
    /// What was drawn since the last present().
    QRegion dirtyRegion() const { return m_dirty; }

    struct Move {
        QRect area;
        int dy;
    };
    /// From what was presented last to the image: the moves in their order, then what is dirty.
    struct Changes {
        QList<Move> moves;
        QRegion dirty;
    };
    /// For who presents them in another way.
    Changes takeChanges();

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

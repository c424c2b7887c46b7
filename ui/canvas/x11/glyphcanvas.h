#pragma once

#include "canvas/x11/glyphs.h"
#include "canvas/x11/servercanvas.h"

#include <vector>

namespace rankdeck
{

/// The back end for X servers across a network: the server keeps the glyphs and does the drawing, filling and
/// scrolling in a pixmap of its own, which is copied to the screen at present(). A line of text takes little
/// more bytes than it has characters. Needs RENDER.
class GlyphCanvas : public ServerCanvas
{
public:
    /// `widget` must outlive it.
    GlyphCanvas(XDisplay &display, QWidget *widget);
    ~GlyphCanvas() override;

    QSize cellSize() const override { return m_glyphs->font().cellSize(); }
    QSize size() const override { return m_size; }
    void fill(const QRect &area, const QColor &color) override;
    void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) override;
    void scroll(const QRect &area, int dy) override;
    bool present() override;

    void reset(const QSize &size, const QFont &font, qreal devicePixelRatio) override;
    qreal devicePixelRatio() const override { return m_ratio; }

private:
    struct Fill {
        QColor color;
        std::vector<xcb_rectangle_t> areas;
        QRect bounds; ///< Around all areas.
    };
    struct Text {
        QColor color;
        GlyphStream narrow{1};
        GlyphStream wide{2};
    };

    QRect bounds() const { return {QPoint(), m_size}; }
    bool covers(const QRect &area) const;
    Fill &fillOf(const QColor &color, const QRect &pixels);
    Text &textOf(const QColor &color);
    void addGlyphs(const QRect &area, QStringView text, const TextStyle &style);
    void needPixmap();
    void releasePixmap() override;
    /// Sends all fills, then all text: collected text must be sent before a fill over it.
    void send();
    void setClip(const QRect &area);

    std::shared_ptr<GlyphSet> m_glyphs;
    QFont m_likeFont;
    qreal m_ratio = 1;
    QSize m_size;
    xcb_render_picture_t m_picture = 0;

    std::vector<Fill> m_fills;
    std::vector<Text> m_texts;
    QList<QRect> m_textAreas;
    QRect m_dirty;
};

} // namespace rankdeck

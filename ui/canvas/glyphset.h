#pragma once

#include "canvas/cellfont.h"
#include "canvas/xdisplay.h"

#include <QHash>
#include <QImage>

#include <memory>

namespace rankdeck
{

/// The glyphs of a cell font that an X server keeps: each is drawn by Qt and sent once, when it is first
/// needed.
class GlyphSet
{
public:
    struct Glyph {
        uint32_t id = 0;
        /// Not 0: a picture in colours (an emoji), to be composed instead, and not in the set.
        xcb_render_picture_t picture = 0;
    };

    /// The one for this font and ratio; canvases share it.
    static std::shared_ptr<GlyphSet> of(XDisplay &display, const QFont &like, qreal devicePixelRatio);
    GlyphSet(XDisplay &display, const QFont &like, qreal devicePixelRatio);
    ~GlyphSet();
    Q_DISABLE_COPY_MOVE(GlyphSet)

    const CellFont &font() const { return m_font; }
    /// Device pixels.
    QSize cellSize() const { return m_cellSize; }
    xcb_render_glyphset_t id() const { return m_set; }
    /// Ids of printable ASCII, bold or not, are below 256, all others from there to 65535. The origin is the
    /// top left of the cells, the advance their width. Valid while isFull() was not answered with clear().
    Glyph glyph(QStringView cluster, int cells, bool bold);
    /// A server need not keep the characters of every log for ever. What is drawn must be sent before
    /// clear().
    bool isFull() const;
    void clear();

private:
    Glyph make(QStringView cluster, int cells, bool bold);
    QImage drawn(QStringView cluster, int cells, bool bold, QImage::Format format) const;
    void addMask(uint32_t id, const QImage &image, int advance);
    xcb_render_picture_t makePicture(const QImage &image);

    XDisplay &m_display;
    CellFont m_font;
    qreal m_ratio;
    QSize m_cellSize;
    xcb_render_glyphset_t m_set = 0;
    uint32_t m_nextId = 0;
    QHash<uint32_t, bool> m_ascii;
    QHash<QString, Glyph> m_others;
    qsizetype m_pictures = 0;
};

} // namespace rankdeck

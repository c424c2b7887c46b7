#pragma once

#include "canvas/cells/cellfont.h"
#include "canvas/x11/xdisplay.h"

#include <QImage>
#include <QPoint>

namespace rankdeck
{

/// Collects glyphs into one request (RENDER's CompositeGlyphs): a place costs 8 bytes, a glyph one or two.
class GlyphStream
{
public:
    /// `bytesPerGlyph` is 1 or 2; the ids of the glyphs must fit.
    explicit GlyphStream(int bytesPerGlyph)
        : m_bytesPerGlyph(bytesPerGlyph)
    {
    }

    /// Adds glyph `id` with its origin at `at`, in device pixels; `advance` is the glyph's own.
    void append(const QPoint &at, uint32_t id, int advance);

    /// Whether it should be sent before more is added.
    bool isLong() const { return m_bytes.size() > 60000; }
    /// Sends the glyphs collected so far, if any, and forgets them.
    void send(XDisplay &display, const QColor &color, xcb_render_picture_t target,
              xcb_render_glyphset_t glyphs);

private:
    void closeRun();

    int m_bytesPerGlyph;
    QByteArray m_bytes;
    qsizetype m_run = -1; ///< Where the last run begins.
    int m_runLength = 0;  ///< Glyphs.
    QPoint m_pen;
};

/// The glyphs of a cell font in an X server: Qt draws each one, and it is sent once, when first needed.
class GlyphSet
{
public:
    struct Glyph {
        uint32_t id = 0;
        /// Not 0: a picture in colours (an emoji), which is not in the set and is composited instead.
        xcb_render_picture_t picture = 0;
    };

    /// Returns the set for this font and ratio; canvases share it.
    static std::shared_ptr<GlyphSet> of(XDisplay &display, const QFont &like, qreal devicePixelRatio);
    GlyphSet(XDisplay &display, const QFont &like, qreal devicePixelRatio);
    ~GlyphSet();
    Q_DISABLE_COPY_MOVE(GlyphSet)

    const CellFont &font() const { return m_font; }
    /// Device pixels.
    QSize cellSize() const { return m_cellSize; }
    xcb_render_glyphset_t id() const { return m_set; }
    /// Returns a glyph, valid until clear(). Ids of printable ASCII, bold or not, are below 256, all others
    /// between 256 and 65535. The origin is the top left of the cells, the advance their width.
    Glyph glyph(QStringView cluster, int cells, bool bold);
    /// Whether clear() is due, so that the server does not keep the characters of every log forever. Glyphs
    /// in use must be sent before clear().
    bool isFull() const;
    void clear();

private:
    Glyph make(QStringView cluster, int cells, bool bold);
    QImage drawn(QStringView cluster, int cells, bool bold, QImage::Format format) const;
    void addMask(uint32_t id, const QImage &image, int advance);
    xcb_render_picture_t makePicture(const QImage &image);
    void freePictures();

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

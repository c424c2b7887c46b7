#pragma once

#include "canvas/xdisplay.h"

#include <QByteArray>
#include <QPoint>

namespace rankdeck
{

/// Glyphs at places, gathered into one request (RENDER's CompositeGlyphs): a place costs 8 bytes, a glyph one
/// or two.
class GlyphStream
{
public:
    /// `bytesPerGlyph` is 1 or 2; the glyphs' ids must fit.
    explicit GlyphStream(int bytesPerGlyph);

    /// Draw glyph `id` with its origin at `at`, in device pixels; `advance` is the glyph's own.
    void append(const QPoint &at, uint32_t id, int advance);
    bool isEmpty() const { return m_bytes.isEmpty(); }
    /// So long that it should be sent before more is added.
    bool isLong() const { return m_bytes.size() > 60000; }
    /// Send what was gathered, if anything, and start anew.
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

} // namespace rankdeck

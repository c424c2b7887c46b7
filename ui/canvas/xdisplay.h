#pragma once

#include <QColor>
#include <QHash>

#include <xcb/render.h>
#include <xcb/xcb.h>

namespace rankdeck
{

/// The X server that Qt is connected to, as far as it draws for us.
class XDisplay
{
public:
    /// Null where Qt does not talk to an X server. Asks it once, which takes a round trip.
    static XDisplay *instance();

    xcb_connection_t *connection() const { return m_connection; }
    const xcb_screen_t *screen() const { return m_screen; }
    /// It shares no memory with us: whatever is drawn goes through a network, or an ssh connection.
    bool isRemote() const { return m_isRemote; }
    /// RENDER is there, with all that glyphs need, and SHAPE. Untrusted connections (ssh -X without trust)
    /// have none.
    bool hasRender() const { return m_hasRender; }

    bool hasShape() const { return m_hasShape; }
    /// Images of a bit for each pixel can be sent as they are made here, and images of all colours.
    bool takesBitmaps() const { return m_takesBitmaps; }
    /// Of a row of bits.
    int bitmapPad() const;
    bool isLeastBitFirst() const;

    xcb_render_pictformat_t screenFormat() const { return m_screenFormat; }
    /// 8 bits of coverage.
    xcb_render_pictformat_t maskFormat() const { return m_maskFormat; }
    /// 32 bits, premultiplied.
    xcb_render_pictformat_t colorFormat() const { return m_colorFormat; }
    /// To draw glyphs with; lives until the next call for another colour.
    xcb_render_picture_t solid(const QColor &color);
    /// Pixmaps and pictures of the depth that screenFormat() is of need one.
    xcb_gcontext_t context() const { return m_context; }

    static xcb_render_color_t renderColor(const QColor &color);

private:
    XDisplay(xcb_connection_t *connection, const xcb_screen_t *screen);
    void findFormats();
    void findImageFormat();

    xcb_connection_t *m_connection;
    const xcb_screen_t *m_screen;
    bool m_isRemote = false;
    bool m_hasRender = false;
    bool m_hasShape = false;
    bool m_takesBitmaps = false;
    xcb_render_pictformat_t m_screenFormat = 0;
    xcb_render_pictformat_t m_maskFormat = 0;
    xcb_render_pictformat_t m_colorFormat = 0;
    xcb_gcontext_t m_context = 0;
    QHash<QRgb, xcb_render_picture_t> m_solids;
};

} // namespace rankdeck

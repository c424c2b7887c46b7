#pragma once

#include "canvas/drawing/displaybackend.h"

#include <QAbstractNativeEventFilter>
#include <QHash>

#include <xcb/render.h>
#include <xcb/xcb.h>

namespace rankdeck
{

/// Returns `area` as X requests have it.
inline xcb_rectangle_t xcbRectangle(const QRect &area)
{
    return {int16_t(area.x()), int16_t(area.y()), uint16_t(area.width()), uint16_t(area.height())};
}

/// The X server that Qt is connected to, and its abilities for drawing.
class XDisplay
{
public:
    /// Returns null if Qt does not talk to an X server. The first call takes a round trip.
    static XDisplay *instance();

    xcb_connection_t *connection() const { return m_connection; }
    const xcb_screen_t *screen() const { return m_screen; }
    /// Whether it shares no memory with us: all drawing goes through a network, or an ssh connection.
    bool isRemote() const { return m_isRemote; }
    /// Whether it has RENDER with all that glyphs need, and SHAPE. Not with ssh -X without trust.
    bool hasRender() const { return m_hasRender; }
    bool hasShape() const { return m_hasShape; }
    /// Whether images of one bit per pixel and of all colours can be sent without conversion.
    bool takesBitmaps() const { return m_takesBitmaps; }
    /// Padding of a row of bits, in bits.
    int bitmapPad() const { return xcb_get_setup(m_connection)->bitmap_format_scanline_pad; }
    bool isLeastBitFirst() const
    {
        return xcb_get_setup(m_connection)->bitmap_format_bit_order == XCB_IMAGE_ORDER_LSB_FIRST;
    }

    xcb_render_pictformat_t screenFormat() const { return m_screenFormat; }
    /// 8 bits of coverage.
    xcb_render_pictformat_t maskFormat() const { return m_maskFormat; }
    /// 32 bits, premultiplied.
    xcb_render_pictformat_t colorFormat() const { return m_colorFormat; }
    /// Returns a picture of one colour to draw glyphs with; valid until the next call for another colour.
    xcb_render_picture_t solid(const QColor &color);
    /// A graphics context for drawables of the depth of screenFormat().
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

/// Changes a property of an invisible window (24 bytes) and waits for the server's event about it. A reply
/// would have to be polled for; the event comes through Qt's event loop.
class XEcho : public DisplayEcho, private QAbstractNativeEventFilter
{
    Q_OBJECT

public:
    explicit XEcho(XDisplay &display);

    void ask() override;
    quint64 bytesSent() const override { return xcb_total_written(m_display.connection()); }
    bool isOverNetwork() const override { return m_display.isRemote(); }

private:
    bool nativeEventFilter(const QByteArray &type, void *message, qintptr *result) override;

    XDisplay &m_display;
    xcb_window_t m_window;
};

} // namespace rankdeck

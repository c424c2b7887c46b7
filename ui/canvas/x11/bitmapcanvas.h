#pragma once

#include "canvas/drawing/bitmapparts.h"
#include "canvas/drawing/rastercanvas.h"
#include "canvas/x11/servercanvas.h"

namespace rankdeck
{

/// The back end for X servers across a network without RENDER or any extension, as for ssh -X without trust:
/// draws text here without smoothing and sends one bit per pixel into a pixmap of the server.
class BitmapCanvas : public ServerCanvas
{
public:
    using ServerCanvas::ServerCanvas;
    ~BitmapCanvas() override;

    QSize cellSize() const override { return m_raster.cellSize(); }
    QSize size() const override { return m_raster.size(); }
    void fill(const QRect &area, const QColor &color) override { m_raster.fill(area, color); }
    void text(const QPoint &topLeft, QStringView text, const TextStyle &style, const QRect &clip) override
    {
        m_raster.text(topLeft, text, style, clip);
    }
    void scroll(const QRect &area, int dy) override { m_raster.scroll(area, dy); }
    bool present() override;

    void reset(const QSize &size, const QFont &font, qreal devicePixelRatio) override;
    qreal devicePixelRatio() const override { return m_raster.devicePixelRatio(); }

private:
    void needPixmap();
    void releasePixmap() override;

    void send(const std::vector<BitmapPart> &parts);
    void sendFills(const std::vector<BitmapPart> &parts);
    void sendBitmap(const BitmapPart &part);
    void sendPixels(const BitmapPart &part);
    void setColors(QRgb foreground, QRgb background);

    RasterCanvas m_raster;
    xcb_gcontext_t m_context = 0;
    QRgb m_foreground = 0; ///< Foreground colour of m_context.
    QRgb m_background = 0;
};

} // namespace rankdeck

#pragma once

#include "canvas/rastercanvas.h"
#include "canvas/xvisibility.h"

namespace rankdeck
{

/// The raster back end on an X server, which says when other windows hide the whole window that the widget is
/// in.
class XRasterCanvas : public RasterCanvas
{
public:
    /// `widget` must outlive it.
    XRasterCanvas(XDisplay &display, QWidget *widget);
    ~XRasterCanvas() override;
    Q_DISABLE_COPY_MOVE(XRasterCanvas)

    bool expose(const QRegion &region) override;
    bool isCovered() const override;
    /// Each pixel may be sent through a network.
    int floodInterval() const override { return m_display.isRemote() ? 500 : RasterCanvas::floodInterval(); }

private:
    xcb_window_t window() const;

    XDisplay &m_display;
    QWidget *m_widget;
    XVisibility &m_visibility;
    QMetaObject::Connection m_seenAgain;
};

} // namespace rankdeck

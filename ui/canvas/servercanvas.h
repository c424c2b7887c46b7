#pragma once

#include "canvas/serverwindow.h"
#include "canvas/widgetcanvas.h"

namespace rankdeck
{

/// What the back ends that draw in the X server have in common: a pixmap there that holds the whole widget,
/// and a window over the widget into which it is copied.
class ServerCanvas : public WidgetCanvas
{
public:
    Q_DISABLE_COPY_MOVE(ServerCanvas)

    /// Nothing: what Qt paints is beneath the server's window.
    bool expose(const QRegion &) override { return false; }
    bool isCovered() const override { return m_window.isCovered(); }

protected:
    /// `widget` must outlive it.
    ServerCanvas(XDisplay &display, QWidget *widget);

    /// Shown again, all is drawn anew: until then the server need not keep the pixmap.
    virtual void releasePixmap() = 0;
    QRect inDevicePixels(const QRect &area) const;
    /// Copy a part of the pixmap, in device pixels, to the screen.
    void show(const QRect &area);

    XDisplay &m_display;
    xcb_pixmap_t m_pixmap = 0; ///< 0 while there is none.
    ServerWindow m_window;
};

} // namespace rankdeck

#include "canvas/xrastercanvas.h"

#include <QWidget>

namespace rankdeck
{

XRasterCanvas::XRasterCanvas(XDisplay &display, QWidget *widget)
    : RasterCanvas(widget)
    , m_display(display)
    , m_widget(widget)
    , m_visibility(XVisibility::instance())
{
    m_seenAgain = QObject::connect(&m_visibility, &XVisibility::seenAgain, widget, [this](xcb_window_t seen) {
        if (seen == window() && seenAgain)
            seenAgain();
    });
}

XRasterCanvas::~XRasterCanvas()
{
    QObject::disconnect(m_seenAgain);
}

xcb_window_t XRasterCanvas::window() const
{
    return xcb_window_t(m_widget->window()->internalWinId());
}

bool XRasterCanvas::expose(const QRegion &region)
{
    if (window() != 0)
        m_visibility.watch(window());
    return RasterCanvas::expose(region);
}

bool XRasterCanvas::isCovered() const
{
    return m_visibility.isCovered(window());
}

} // namespace rankdeck

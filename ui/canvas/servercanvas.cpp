#include "canvas/servercanvas.h"

namespace rankdeck
{

ServerCanvas::ServerCanvas(XDisplay &display, QWidget *widget)
    : m_display(display)
    , m_window(display, widget)
{
    m_window.exposed = [this](const QRect &area) {
        if (m_pixmap != 0)
            show(area);
    };
    m_window.seenAgain = [this] {
        if (seenAgain)
            seenAgain();
    };
    m_window.hidden = [this] {
        releasePixmap();
    };
}

QRect ServerCanvas::inDevicePixels(const QRect &area) const
{
    const qreal ratio = devicePixelRatio();
    return {QPoint(qRound(area.left() * ratio), qRound(area.top() * ratio)),
            QPoint(qRound((area.right() + 1) * ratio) - 1, qRound((area.bottom() + 1) * ratio) - 1)};
}

void ServerCanvas::show(const QRect &area)
{
    m_window.copyFrom(m_pixmap, area);
    xcb_flush(m_display.connection());
}

} // namespace rankdeck

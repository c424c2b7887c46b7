#include "canvas/x11/xrastercanvas.h"

#include <QPointer>
#include <QWidget>

#include <xcb/xcbext.h>

#include <cstdlib>
#include <utility>

namespace rankdeck
{

XVisibility &XVisibility::instance()
{
    static QPointer<XVisibility> visibility;
    if (!visibility)
        visibility = new XVisibility(qApp);
    return *visibility;
}

XVisibility::XVisibility(QObject *parent)
    : QObject(parent)
    , m_connection(XDisplay::instance()->connection())
{
    qApp->installNativeEventFilter(this);
}

void XVisibility::watch(xcb_window_t window)
{
    if (m_isCovered.contains(window))
        return;
    m_isCovered.insert(window, false);
    requestMask(window);
}

/// A client has one event mask per window: ours must be added to Qt's.
void XVisibility::requestMask(xcb_window_t window)
{
    m_queries.append({window, xcb_get_window_attributes(m_connection, window).sequence});
    xcb_flush(m_connection);
}

void XVisibility::addToMasks()
{
    void *reply = nullptr;
    xcb_generic_error_t *error = nullptr;
    while (!m_queries.isEmpty() &&
           xcb_poll_for_reply(m_connection, m_queries.front().sequence, &reply, &error) != 0) {
        const xcb_window_t window = m_queries.takeFirst().window;
        if (reply) {
            const uint32_t mask = static_cast<xcb_get_window_attributes_reply_t *>(reply)->your_event_mask |
                                  XCB_EVENT_MASK_VISIBILITY_CHANGE;
            const xcb_void_cookie_t done =
                xcb_change_window_attributes_checked(m_connection, window, XCB_CW_EVENT_MASK, &mask);
            // Qt may have destroyed the window since; that is not an error.
            xcb_discard_reply(m_connection, done.sequence);
            xcb_flush(m_connection);
        }
        std::free(std::exchange(reply, nullptr));
        std::free(std::exchange(error, nullptr));
    }
}

void XVisibility::setCovered(xcb_window_t window, bool isCovered)
{
    const auto known = m_isCovered.find(window);
    if (known == m_isCovered.end() || *known == isCovered)
        return;
    *known = isCovered;
    if (!isCovered)
        Q_EMIT seenAgain(window);
}

bool XVisibility::nativeEventFilter(const QByteArray &type, void *message, qintptr *)
{
    if (type != "xcb_generic_event_t")
        return false;
    // Any event after a reply means that the reply has arrived.
    addToMasks();
    switch (static_cast<xcb_generic_event_t *>(message)->response_type & 0x7F) {
    case XCB_VISIBILITY_NOTIFY: {
        const auto *const event = static_cast<xcb_visibility_notify_event_t *>(message);
        setCovered(event->window, event->state == XCB_VISIBILITY_FULLY_OBSCURED);
        break;
    }
    case XCB_MAP_NOTIFY: {
        // When its flags change, Qt maps the window again with another mask.
        const xcb_window_t window = static_cast<xcb_map_notify_event_t *>(message)->window;
        if (!m_isCovered.contains(window))
            break;
        setCovered(window, false);
        requestMask(window);
        break;
    }
    case XCB_DESTROY_NOTIFY:
        m_isCovered.remove(static_cast<xcb_destroy_notify_event_t *>(message)->window);
        break;
    default:
        break;
    }
    return false;
}

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

} // namespace rankdeck

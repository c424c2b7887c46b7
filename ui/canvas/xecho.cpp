#include "canvas/xecho.h"

#include <QCoreApplication>

namespace rankdeck
{

XEcho::XEcho(XDisplay &display)
    : m_display(display)
    , m_window(xcb_generate_id(display.connection()))
{
    const uint32_t mask = XCB_EVENT_MASK_PROPERTY_CHANGE;
    xcb_create_window(display.connection(), 0, m_window, display.screen()->root, -1, -1, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &mask);
    qApp->installNativeEventFilter(this);
}

XEcho::~XEcho()
{
    // The window goes with the connection.
    if (qApp)
        qApp->removeNativeEventFilter(this);
}

void XEcho::ask()
{
    // Nothing is added to nothing, and yet it counts as a change.
    xcb_change_property(m_display.connection(), XCB_PROP_MODE_APPEND, m_window, XCB_ATOM_WM_NAME,
                        XCB_ATOM_STRING, 8, 0, nullptr);
    xcb_flush(m_display.connection());
}

quint64 XEcho::bytesSent() const
{
    return xcb_total_written(m_display.connection());
}

bool XEcho::nativeEventFilter(const QByteArray &type, void *message, qintptr *)
{
    if (type != "xcb_generic_event_t")
        return false;
    const auto *const event = static_cast<xcb_generic_event_t *>(message);
    if ((event->response_type & 0x7F) != XCB_PROPERTY_NOTIFY ||
        static_cast<xcb_property_notify_event_t *>(message)->window != m_window)
        return false;
    Q_EMIT answered();
    return true;
}

} // namespace rankdeck

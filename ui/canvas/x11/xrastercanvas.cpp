#include "canvas/xvisibility.h"

#include <QCoreApplication>
#include <QPointer>

#include <cstdlib>
#include <utility>
#include <xcb/xcbext.h>

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

XVisibility::~XVisibility()
{
    if (qApp)
        qApp->removeNativeEventFilter(this);
}

void XVisibility::watch(xcb_window_t window)
{
    if (m_isCovered.contains(window))
        return;
    m_isCovered.insert(window, false);
    askForMask(window);
}

/// A client has one mask of events for a window: Qt's, to which ours is to be added.
void XVisibility::askForMask(xcb_window_t window)
{
    m_questions.append({window, xcb_get_window_attributes(m_connection, window).sequence});
    xcb_flush(m_connection);
}

void XVisibility::takeMasks()
{
    void *reply = nullptr;
    xcb_generic_error_t *error = nullptr;
    while (!m_questions.isEmpty() &&
           xcb_poll_for_reply(m_connection, m_questions.front().sequence, &reply, &error) != 0) {
        const xcb_window_t window = m_questions.takeFirst().window;
        if (reply)
            select(window, static_cast<xcb_get_window_attributes_reply_t *>(reply)->your_event_mask |
                               XCB_EVENT_MASK_VISIBILITY_CHANGE);
        std::free(std::exchange(reply, nullptr));
        std::free(std::exchange(error, nullptr));
    }
}

void XVisibility::select(xcb_window_t window, uint32_t mask)
{
    const xcb_void_cookie_t done =
        xcb_change_window_attributes_checked(m_connection, window, XCB_CW_EVENT_MASK, &mask);
    // Qt may have destroyed it meanwhile, which is no error.
    xcb_discard_reply(m_connection, done.sequence);
    xcb_flush(m_connection);
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
    // Whatever comes after an answer says that the answer is there.
    takeMasks();
    switch (static_cast<xcb_generic_event_t *>(message)->response_type & 0x7F) {
    case XCB_VISIBILITY_NOTIFY: {
        const auto *const event = static_cast<xcb_visibility_notify_event_t *>(message);
        setCovered(event->window, event->state == XCB_VISIBILITY_FULLY_OBSCURED);
        break;
    }
    case XCB_MAP_NOTIFY: {
        // With other flags, Qt shows a window anew, with another mask.
        const xcb_window_t window = static_cast<xcb_map_notify_event_t *>(message)->window;
        if (!m_isCovered.contains(window))
            break;
        setCovered(window, false);
        askForMask(window);
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

} // namespace rankdeck

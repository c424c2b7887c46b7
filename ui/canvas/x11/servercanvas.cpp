#include "canvas/x11/servercanvas.h"

#include <QEvent>
#include <QWidget>

#include <xcb/shape.h>

#include <algorithm>

namespace rankdeck
{

static QRect inDevicePixels(const QRect &area, qreal ratio)
{
    return {QPoint(qRound(area.left() * ratio), qRound(area.top() * ratio)),
            QPoint(qRound((area.right() + 1) * ratio) - 1, qRound((area.bottom() + 1) * ratio) - 1)};
}

/// Returns the nearest widget with a native window of Qt's.
static const QWidget *nativeWidget(const QWidget *widget)
{
    return widget->internalWinId() ? widget : widget->nativeParentWidget();
}

ServerWindow::ServerWindow(XDisplay &display, QWidget *widget)
    : m_display(display)
    , m_widget(widget)
{
    qApp->installNativeEventFilter(this);
    m_widget->installEventFilter(this);
}

void ServerWindow::place()
{
    const QWidget *const native = nativeWidget(m_widget);
    const auto parent = native && native->internalWinId() ? xcb_window_t(native->internalWinId()) : 0;
    const QRect seen = m_widget->visibleRegion().boundingRect();
    if (parent == 0 || seen.isEmpty() || !m_widget->isVisible()) {
        remove();
        return;
    }
    if (parent != m_parent)
        remove();
    const qreal ratio = m_widget->devicePixelRatioF();
    const QRect place = inDevicePixels(seen.translated(m_widget->mapTo(native, QPoint())), ratio);
    m_origin = inDevicePixels(seen, ratio).topLeft();
    if (m_window != 0 && place == m_place)
        return;

    xcb_connection_t *const connection = m_display.connection();
    m_place = place;
    if (m_window != 0) {
        const uint32_t values[] = {uint32_t(place.x()), uint32_t(place.y()), uint32_t(place.width()),
                                   uint32_t(place.height())};
        xcb_configure_window(connection, m_window,
                             XCB_CONFIG_WINDOW_X | XCB_CONFIG_WINDOW_Y | XCB_CONFIG_WINDOW_WIDTH |
                                 XCB_CONFIG_WINDOW_HEIGHT,
                             values);
        xcb_flush(connection);
        return;
    }
    watchAncestors();
    m_parent = parent;
    m_window = xcb_generate_id(connection);
    const xcb_screen_t *const screen = m_display.screen();
    // No background: the old content stays until the first frame, which is better than a flash.
    const uint32_t values[] = {0, XCB_GRAVITY_NORTH_WEST,
                               XCB_EVENT_MASK_EXPOSURE | XCB_EVENT_MASK_VISIBILITY_CHANGE,
                               screen->default_colormap};
    xcb_create_window(connection, screen->root_depth, m_window, parent, int16_t(place.x()),
                      int16_t(place.y()), uint16_t(place.width()), uint16_t(place.height()), 0,
                      XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                      XCB_CW_BORDER_PIXEL | XCB_CW_BIT_GRAVITY | XCB_CW_EVENT_MASK | XCB_CW_COLORMAP, values);
    // Without SHAPE, pointer events still propagate to the parent, which selects them.
    if (m_display.hasShape())
        xcb_shape_rectangles(connection, XCB_SHAPE_SO_SET, XCB_SHAPE_SK_INPUT, XCB_CLIP_ORDERING_UNSORTED,
                             m_window, 0, 0, 0, nullptr);
    xcb_map_window(connection, m_window);
    xcb_flush(connection);
}

void ServerWindow::copyFrom(xcb_pixmap_t pixmap, const QRect &area)
{
    const QRect seen = area & QRect(m_origin, m_place.size());
    if (m_window == 0 || seen.isEmpty())
        return;
    const QPoint to = seen.topLeft() - m_origin;
    xcb_copy_area(m_display.connection(), pixmap, m_window, m_display.context(), int16_t(seen.x()),
                  int16_t(seen.y()), int16_t(to.x()), int16_t(to.y()), uint16_t(seen.width()),
                  uint16_t(seen.height()));
}

void ServerWindow::remove()
{
    // The window no longer exists if the application has finished or its parent window was closed.
    if (m_window != 0 && qApp) {
        const QWidget *const native = nativeWidget(m_widget);
        if (native && xcb_window_t(native->internalWinId()) == m_parent) {
            xcb_destroy_window(m_display.connection(), m_window);
            xcb_flush(m_display.connection());
        }
    }
    m_window = 0;
    m_parent = 0;
    m_isCovered = false;
    m_place = {};
}

void ServerWindow::watchAncestors()
{
    for (const QPointer<QObject> &watched : std::as_const(m_watched)) {
        if (watched)
            watched->removeEventFilter(this);
    }
    m_watched.clear();
    for (QWidget *ancestor = m_widget->parentWidget(); ancestor; ancestor = ancestor->parentWidget()) {
        ancestor->installEventFilter(this);
        m_watched.append(ancestor);
        if (ancestor->isWindow())
            break;
    }
}

bool ServerWindow::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::Hide:
        if (watched == m_widget) {
            remove();
            if (hidden)
                hidden();
        }
        break;
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::WinIdChange:
        if (m_window != 0)
            place();
        break;
    default:
        break;
    }
    return QObject::eventFilter(watched, event);
}

bool ServerWindow::nativeEventFilter(const QByteArray &type, void *message, qintptr *)
{
    if (m_window == 0 || type != "xcb_generic_event_t")
        return false;
    const auto *const event = static_cast<xcb_generic_event_t *>(message);
    if ((event->response_type & 0x7F) == XCB_VISIBILITY_NOTIFY) {
        const auto *const visibility = static_cast<xcb_visibility_notify_event_t *>(message);
        if (visibility->window != m_window)
            return false;
        const bool isCovered = visibility->state == XCB_VISIBILITY_FULLY_OBSCURED;
        if (std::exchange(m_isCovered, isCovered) && !isCovered && seenAgain)
            seenAgain();
        return true;
    }
    if ((event->response_type & 0x7F) != XCB_EXPOSE)
        return false;
    const auto *const expose = static_cast<xcb_expose_event_t *>(message);
    if (expose->window != m_window)
        return false;
    if (exposed)
        exposed(QRect(expose->x, expose->y, expose->width, expose->height).translated(m_origin));
    return true;
}

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
    return rankdeck::inDevicePixels(area, devicePixelRatio());
}

void ServerCanvas::createPixmap(const QSize &size)
{
    m_pixmap = xcb_generate_id(m_display.connection());
    xcb_create_pixmap(m_display.connection(), m_display.screen()->root_depth, m_pixmap,
                      m_display.screen()->root, uint16_t(std::max(1, size.width())),
                      uint16_t(std::max(1, size.height())));
}

void ServerCanvas::movePixels(const QRect &area, int dy, xcb_gcontext_t context)
{
    const xcb_rectangle_t from = xcbRectangle(inDevicePixels(area & area.translated(0, -dy)));
    const int shift = qRound(dy * devicePixelRatio());
    if (from.width > 0 && from.height > 0)
        xcb_copy_area(m_display.connection(), m_pixmap, m_pixmap, context, from.x, from.y, from.x,
                      int16_t(from.y + shift), from.width, from.height);
}

void ServerCanvas::show(const QRect &area)
{
    m_window.copyFrom(m_pixmap, area);
    xcb_flush(m_display.connection());
}

} // namespace rankdeck

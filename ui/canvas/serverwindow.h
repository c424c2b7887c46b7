#pragma once

#include "canvas/xdisplay.h"

#include <QAbstractNativeEventFilter>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QRect>

#include <functional>

class QWidget;

namespace rankdeck
{

/// A window of the X server's over what is seen of a widget, for the server to draw in. The widget stays one
/// of Qt's without a window: for the pointer this one is not there, so that mouse and wheel reach Qt's, and
/// Qt tells the widget as ever. Qt's own drawing is cut out beneath it.
class ServerWindow : public QObject, private QAbstractNativeEventFilter
{
public:
    /// `widget` must outlive it.
    ServerWindow(XDisplay &display, QWidget *widget);
    ~ServerWindow() override;

    /// Stand where the widget is seen, if it is. Cheap when nothing has moved.
    void place();
    bool isShown() const { return m_window != 0; }
    /// Other windows hide all of it.
    bool isCovered() const { return m_isCovered; }
    /// Show `area` of `pixmap`, which holds the whole widget; both in device pixels.
    void copyFrom(xcb_pixmap_t pixmap, const QRect &area);

    /// The server wants this part, in device pixels of the widget, to be shown again.
    std::function<void(const QRect &)> exposed;
    /// It was covered, and is seen again.
    std::function<void()> seenAgain;
    /// The widget was hidden: the window is gone.
    std::function<void()> hidden;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool nativeEventFilter(const QByteArray &type, void *message, qintptr *result) override;
    void takeVisibility(bool isCovered);
    void watchAncestors();
    void remove();

    XDisplay &m_display;
    QWidget *m_widget;
    QList<QPointer<QObject>> m_watched;
    xcb_window_t m_window = 0;
    xcb_window_t m_parent = 0;
    bool m_isCovered = false;
    QRect m_place;   ///< Within m_parent, device pixels.
    QPoint m_origin; ///< Of the window within the widget, device pixels.
};

} // namespace rankdeck

#pragma once

#include "canvas/x11/xdisplay.h"

#include <QPointer>

namespace rankdeck
{

/// A native window over the visible part of a widget, for the X server to draw in. The widget itself stays
/// without a native window: the pointer passes through this one, so that mouse and wheel events reach the
/// widget through Qt as usual. Qt's own drawing is hidden beneath it.
class ServerWindow : public QObject, private QAbstractNativeEventFilter
{
public:
    /// `widget` must outlive it.
    ServerWindow(XDisplay &display, QWidget *widget);
    ~ServerWindow() override { remove(); }

    /// Moves the window to where the widget is visible, or removes it. Cheap when nothing has moved.
    void place();
    bool isShown() const { return m_window != 0; }
    /// Returns whether other windows hide all of it.
    bool isCovered() const { return m_isCovered; }
    /// Copies `area` of `pixmap`, which holds the whole widget, to the window; in device pixels.
    void copyFrom(xcb_pixmap_t pixmap, const QRect &area);

    /// Called when the server needs this part to be shown again; in device pixels of the widget.
    std::function<void(const QRect &)> exposed;
    /// Called when the window was covered and is visible again.
    std::function<void()> seenAgain;
    /// Called when the widget was hidden and the window is gone.
    std::function<void()> hidden;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    bool nativeEventFilter(const QByteArray &type, void *message, qintptr *result) override;
    void watchAncestors();
    void remove();

    XDisplay &m_display;
    QWidget *m_widget;
    QList<QPointer<QObject>> m_watched;
    xcb_window_t m_window = 0;
    xcb_window_t m_parent = 0;
    bool m_isCovered = false;
    QRect m_place;   ///< Within m_parent, device pixels.
    QPoint m_origin; ///< Origin of the window within the widget, device pixels.
};

/// Base of the back ends that draw in the X server: a pixmap there that holds the whole widget, and a window
/// over the widget into which it is copied.
class ServerCanvas : public WidgetCanvas
{
public:
    /// `widget` must outlive it.
    ServerCanvas(XDisplay &display, QWidget *widget);

    /// Does nothing: Qt would paint beneath the server's window.
    bool expose(const QRegion &) override { return false; }
    bool isCovered() const override { return m_window.isCovered(); }

protected:
    /// Frees the pixmap of a hidden widget; all of it is drawn again when it is shown.
    virtual void releasePixmap() = 0;
    QRect inDevicePixels(const QRect &area) const;
    /// Creates the pixmap; `size` in device pixels.
    void createPixmap(const QSize &size);
    /// Moves the part of `area` that stays in it by `dy` in the pixmap; in device-independent pixels.
    void movePixels(const QRect &area, int dy, xcb_gcontext_t context);
    /// Copies a part of the pixmap, in device pixels, to the screen.
    void show(const QRect &area);

    XDisplay &m_display;
    xcb_pixmap_t m_pixmap = 0; ///< 0 while there is none.
    ServerWindow m_window;
};

} // namespace rankdeck

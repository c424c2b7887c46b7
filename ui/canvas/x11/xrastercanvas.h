#pragma once

#include "canvas/drawing/rastercanvas.h"
#include "canvas/x11/xdisplay.h"

namespace rankdeck
{

/// Knows which of Qt's windows others fully hide. Under a compositing manager the X server never reports it.
class XVisibility : public QObject, private QAbstractNativeEventFilter
{
    Q_OBJECT

public:
    /// Returns the instance that all canvases share; lives as long as the application.
    static XVisibility &instance();

    /// Starts to watch this window. Cheap if it is watched already; never waits.
    void watch(xcb_window_t window);
    /// Returns whether other windows hide all of it. False if it is not watched.
    bool isCovered(xcb_window_t window) const { return m_isCovered.value(window, false); }

Q_SIGNALS:
    /// A window was covered and is visible again.
    void seenAgain(quint32 window);

private:
    explicit XVisibility(QObject *parent);
    bool nativeEventFilter(const QByteArray &type, void *message, qintptr *result) override;
    void requestMask(xcb_window_t window);
    void addToMasks();
    void setCovered(xcb_window_t window, bool isCovered);

    struct MaskQuery {
        xcb_window_t window;
        unsigned int sequence;
    };

    xcb_connection_t *m_connection;
    QHash<xcb_window_t, bool> m_isCovered;
    QList<MaskQuery> m_queries; ///< Pending queries of event masks.
};

/// The raster back end on an X server, which knows when the widget's window is fully hidden by others.
class XRasterCanvas : public RasterCanvas
{
public:
    /// `widget` must outlive it.
    XRasterCanvas(XDisplay &display, QWidget *widget);
    ~XRasterCanvas() override { QObject::disconnect(m_seenAgain); }
    Q_DISABLE_COPY_MOVE(XRasterCanvas)

    bool expose(const QRegion &region) override;
    bool isCovered() const override { return m_visibility.isCovered(window()); }
    /// Longer if each pixel goes through a network.
    int floodInterval() const override { return m_display.isRemote() ? 500 : RasterCanvas::floodInterval(); }

private:
    xcb_window_t window() const;

    XDisplay &m_display;
    QWidget *m_widget;
    XVisibility &m_visibility;
    QMetaObject::Connection m_seenAgain;
};

} // namespace rankdeck

#pragma once

#include "canvas/displayecho.h"
#include "canvas/xdisplay.h"

#include <QAbstractNativeEventFilter>

namespace rankdeck
{

/// Changes a property of a window that nobody sees (24 bytes), of which the X server tells us. A reply would
/// have to be polled for; this comes through Qt's event loop.
class XEcho : public DisplayEcho, private QAbstractNativeEventFilter
{
    Q_OBJECT

public:
    explicit XEcho(XDisplay &display);
    ~XEcho() override;

    void ask() override;
    quint64 bytesSent() const override;
    bool isOverNetwork() const override { return m_display.isRemote(); }

private:
    bool nativeEventFilter(const QByteArray &type, void *message, qintptr *result) override;

    XDisplay &m_display;
    xcb_window_t m_window;
};

} // namespace rankdeck

#pragma once

#include "canvas/xdisplay.h"

#include <QAbstractNativeEventFilter>
#include <QHash>
#include <QList>
#include <QObject>

namespace rankdeck
{

/// Tells of windows of Qt's whether others hide all of one, as far as the X server does: under a compositing
/// manager it never says so.
class XVisibility : public QObject, private QAbstractNativeEventFilter
{
    Q_OBJECT

public:
    /// The one that all canvases share; lives as long as the application.
    static XVisibility &instance();
    ~XVisibility() override;

    /// From now on, know of this window. Cheap when it is known of already; never waits.
    void watch(xcb_window_t window);
    /// Other windows hide all of it. False for those that are not watched.
    bool isCovered(xcb_window_t window) const { return m_isCovered.value(window, false); }

Q_SIGNALS:
    /// It was covered, and is seen again.
    void seenAgain(quint32 window);

private:
    explicit XVisibility(QObject *parent);
    bool nativeEventFilter(const QByteArray &type, void *message, qintptr *result) override;
    void askForMask(xcb_window_t window);
    void takeMasks();
    void select(xcb_window_t window, uint32_t mask);
    void setCovered(xcb_window_t window, bool isCovered);

    struct Question {
        xcb_window_t window;
        unsigned int sequence;
    };

    xcb_connection_t *m_connection;
    QHash<xcb_window_t, bool> m_isCovered;
    QList<Question> m_questions; ///< For masks of events, not answered yet.
};

} // namespace rankdeck

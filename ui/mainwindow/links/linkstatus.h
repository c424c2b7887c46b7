#pragma once

#include "canvas/widget/canvaswidget.h"
#include "canvas/widget/framepacer.h"

class QStatusBar;

namespace rankdeck
{

/// Advice for a slow connection to the display: let ssh compress it. Once closed it is never shown again.
class LinkAdvice : public QWidget
{
    Q_OBJECT

public:
    LinkAdvice();
};

/// Shows the round trip to the display and the rate of bytes sent there; changes every few seconds at most.
class LinkStatus : public CanvasLabel
{
    Q_OBJECT

public:
    /// Adds the status to `bar` if the display is reached through a network, and LinkAdvice once the
    /// connection is found to be slow. `pacer` must outlive `bar`.
    static void addTo(QStatusBar *bar, const FramePacer &pacer, int interval = 3000);
    /// `pacer` must outlive it. `interval` is the time between two changes of the text, ms.
    LinkStatus(const FramePacer &pacer, int interval, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// Emitted once, when the connection is found to be slow.
    void foundSlow();

private:
    void take(const FramePacer::Answer &answer);
    void look();

    const FramePacer &m_pacer;
    LinkMeter m_meter;
    QTimer m_timer;
    QElapsedTimer m_sinceLook;
    quint64 m_bytesBefore = 0;
    QString m_wait; ///< The round trip as shown.
};

} // namespace rankdeck

#pragma once

#include "canvas/canvaslabel.h"
#include "canvas/linkmeter.h"

#include <QTimer>

class QStatusBar;

namespace rankdeck
{

/// The round trip to the display and what is sent there, in words that change every few seconds at most, and
/// only when they would say something else.
class LinkStatus : public CanvasLabel
{
    Q_OBJECT

public:
    /// Show it in `bar` where the display is reached through a network, and once the connection is found to
    /// be slow, LinkAdvice. `pacer` must outlive `bar`.
    static void addTo(QStatusBar *bar, const FramePacer &pacer, int interval = 3000);
    /// `pacer` must outlive it. `interval` is how often the words may change, ms.
    LinkStatus(const FramePacer &pacer, int interval, QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// Once, when the connection is found to be slow.
    void foundSlow();

private:
    void take(const FramePacer::Answer &answer);
    void look();

    const FramePacer &m_pacer;
    LinkMeter m_meter;
    QTimer m_timer;
    QElapsedTimer m_sinceLook;
    quint64 m_bytesBefore = 0;
    QString m_wait; ///< The round trip, as it is shown.
};

} // namespace rankdeck

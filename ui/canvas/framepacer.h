#pragma once

#include "canvas/displayecho.h"

#include <QElapsedTimer>
#include <QHash>
#include <QTimer>

namespace rankdeck
{

/// Says when canvases may draw, all of them at once: at most 10 times a second, more seldom while one is
/// flooded, and never before the display has done what it was sent the last time. Only what answers the user
/// comes sooner: it waits for no more than one such frame before it.
class FramePacer : public QObject
{
    Q_OBJECT

public:
    /// How long the display took for what was sent at once.
    struct Answer {
        qint64 roundTrip = 0; ///< us, from the end of the sending to the answer.
        qint64 took = 0;      ///< us, from the beginning of the sending.
        quint64 bytes = 0;
    };

    static constexpr int interval = 100;    ///< ms between frames
    static constexpr int soonInterval = 30; ///< the same while the user does something
    static constexpr int soonPeriod = 300;  ///< ms after what the user did

    /// The one that all windows share; lives as long as the application.
    static FramePacer &instance();
    /// Without an echo nothing is waited for.
    explicit FramePacer(std::unique_ptr<DisplayEcho> echo, QObject *parent = nullptr);
    ~FramePacer() override;

    /// Something is to be drawn: frame() comes once it may be.
    void request();
    /// The user did something and waits to see it.
    void answerSoon();
    /// Something is being sent to the display, in a frame or not.
    void sending();
    /// `canvas` wants at least `ms` between frames; 0: no more than others.
    void setInterval(const QObject *canvas, int ms);
    /// Nothing is waited for, neither from the display nor to be drawn.
    bool isIdle() const;
    /// Bytes sent to the display since the start; 0 where they are not known.
    quint64 bytesSent() const { return m_echo ? m_echo->bytesSent() : 0; }
    bool isOverNetwork() const { return m_echo && m_echo->isOverNetwork(); }

Q_SIGNALS:
    /// Draw what has changed.
    void frame();
    void answered(const rankdeck::FramePacer::Answer &answer);

private:
    struct Question {
        qint64 begun = 0; ///< us
        qint64 asked = 0;
        quint64 bytes = 0;
    };

    bool mayDraw() const;
    void schedule();
    void draw();
    void ask();
    void takeAnswer();
    bool isAnsweringUser() const;
    qint64 now() const { return m_clock.nsecsElapsed() / 1000; }

    std::unique_ptr<DisplayEcho> m_echo;
    QElapsedTimer m_clock;
    QTimer m_timer;
    QHash<const QObject *, int> m_intervals;
    QList<Question> m_questions; ///< Not answered yet.
    bool m_requested = false;
    bool m_drawing = false;
    bool m_sending = false;
    qint64 m_begun = 0; ///< us, when what is being sent began to be.
    quint64 m_bytesBefore = 0;
    qint64 m_lastFrame = -1; ///< us
    qint64 m_soonUntil = -1; ///< us
};

} // namespace rankdeck

#pragma once

#include "base/oneshottimer.h"
#include "canvas/drawing/displaybackend.h"

#include <QElapsedTimer>
#include <QHash>

#include <optional>

namespace rankdeck
{

/// Decides when all canvases may draw together: at most 10 times a second, less often while one is flooded,
/// and never before the display has finished the last frame. Only the answer to a user's input comes sooner:
/// it may follow one unfinished frame.
class FramePacer : public QObject
{
    Q_OBJECT

public:
    /// How long the display took for one frame.
    struct Answer {
        qint64 roundTrip = 0; ///< us, from the end of sending to the answer.
        qint64 took = 0;      ///< us, from the start of sending to the answer.
        quint64 bytes = 0;
    };

    static constexpr int interval = 100;    ///< ms between frames
    static constexpr int soonInterval = 30; ///< ms between frames during user input
    static constexpr int soonPeriod = 300;  ///< ms that user input counts

    /// Returns the instance that all windows share; lives as long as the application.
    static FramePacer &instance();
    /// Without an echo it does not wait for the display.
    explicit FramePacer(std::unique_ptr<DisplayEcho> echo, QObject *parent = nullptr);

    /// Asks for a frame(), which comes as soon as allowed.
    void request();
    /// Reports user input: its effect should show soon.
    void answerSoon();
    /// Reports that something is being sent to the display, in a frame or not.
    void sending();
    /// Sets the shortest time between frames of `canvas`, in ms; 0: the default.
    void setInterval(const QObject *canvas, int ms);
    /// Whether no frame is requested and no answer of the display is pending.
    bool isIdle() const { return !m_requested && !m_sending && m_questions.isEmpty(); }
    /// Returns the bytes sent to the display since the start; 0 if unknown.
    quint64 bytesSent() const { return m_echo ? m_echo->bytesSent() : 0; }
    bool isOverNetwork() const { return m_echo && m_echo->isOverNetwork(); }

Q_SIGNALS:
    /// Canvases draw their changes now.
    void frame();
    void answered(const rankdeck::FramePacer::Answer &answer);

private:
    struct Question {
        qint64 begun = 0; ///< us
        qint64 asked = 0;
        quint64 bytes = 0;
    };

    bool mayDraw() const { return !m_sending && m_questions.size() <= (isAnsweringUser() ? 1 : 0); }
    void schedule();
    void draw();
    void ask();
    void takeAnswer();
    bool isAnsweringUser() const { return now() < m_soonUntil; }
    qint64 now() const { return m_clock.nsecsElapsed() / 1000; }

    std::unique_ptr<DisplayEcho> m_echo;
    QElapsedTimer m_clock;
    OneShotTimer m_timer;
    QHash<const QObject *, int> m_intervals;
    QList<Question> m_questions; ///< Not answered yet.
    bool m_requested = false;
    bool m_drawing = false;
    bool m_sending = false;
    qint64 m_begun = 0; ///< us, start of the current sending.
    quint64 m_bytesBefore = 0;
    qint64 m_lastFrame = -1; ///< us
    qint64 m_soonUntil = -1; ///< us
};

/// Judges the connection to the display by its answers.
class LinkMeter
{
public:
    /// Bytes a second below which compression pays off (16 Mbit/s).
    static constexpr qint64 slowRate = 2'000'000;
    /// Frames of fewer bytes say little about the rate.
    static constexpr quint64 leastBytes = 200'000;

    void add(const FramePacer::Answer &answer);
    /// Returns the shortest round trip of the last answers, in us: a busy display or program delays some.
    std::optional<qint64> roundTrip() const;
    /// Whether a large frame, such as the first one, was slower than slowRate. Bytes count before
    /// compression, so a compressed connection is rarely called slow.
    bool isSlow() const { return m_isSlow; }

private:
    QList<qint64> m_roundTrips;
    bool m_isSlow = false;
};

} // namespace rankdeck

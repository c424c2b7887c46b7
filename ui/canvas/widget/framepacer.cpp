#include "canvas/widget/framepacer.h"

#include "canvas/widget/backends.h"

#include <QPointer>

#include <algorithm>

namespace rankdeck
{

constexpr qsizetype mostRoundTrips = 16;

void LinkMeter::add(const FramePacer::Answer &answer)
{
    m_roundTrips.append(answer.roundTrip);
    if (m_roundTrips.size() > mostRoundTrips)
        m_roundTrips.removeFirst();
    // One round trip of the time does not depend on the amount.
    const qint64 sending = answer.took - *roundTrip();
    if (answer.bytes >= leastBytes && sending > qint64(answer.bytes) * 1'000'000 / slowRate)
        m_isSlow = true;
}

std::optional<qint64> LinkMeter::roundTrip() const
{
    return m_roundTrips.isEmpty() ? std::nullopt : std::optional(*std::ranges::min_element(m_roundTrips));
}

FramePacer &FramePacer::instance()
{
    static QPointer<FramePacer> pacer;
    if (!pacer)
        pacer = new FramePacer(createDisplayEcho(), qApp);
    return *pacer;
}

FramePacer::FramePacer(std::unique_ptr<DisplayEcho> echo, QObject *parent)
    : QObject(parent)
    , m_echo(std::move(echo))
{
    m_clock.start();
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &FramePacer::draw);
    if (m_echo)
        connect(m_echo.get(), &DisplayEcho::answered, this, &FramePacer::takeAnswer);
}

void FramePacer::request()
{
    m_requested = true;
    if (!m_timer.isActive())
        schedule();
}

void FramePacer::answerSoon()
{
    m_soonUntil = now() + soonPeriod * 1000;
    if (m_requested)
        schedule();
}

void FramePacer::setInterval(const QObject *canvas, int ms)
{
    if (ms == 0)
        m_intervals.remove(canvas);
    else
        m_intervals.insert(canvas, ms);
}

void FramePacer::schedule()
{
    // takeAnswer() schedules again.
    if (!mayDraw())
        return;
    int wait = interval;
    if (isAnsweringUser())
        wait = soonInterval;
    else if (!m_intervals.isEmpty())
        wait = std::max(wait, *std::ranges::max_element(m_intervals));
    const qint64 left = m_lastFrame < 0 ? 0 : m_lastFrame + wait * 1000 - now();
    m_timer.start(int(std::max<qint64>(0, (left + 999) / 1000)));
}

void FramePacer::draw()
{
    if (!m_requested || !mayDraw())
        return;
    m_requested = false;
    m_lastFrame = now();
    m_begun = m_lastFrame;
    m_bytesBefore = bytesSent();
    m_drawing = true;
    Q_EMIT frame();
    m_drawing = false;
}

void FramePacer::sending()
{
    if (!m_echo || m_sending)
        return;
    m_sending = true;
    if (!m_drawing) {
        m_begun = now();
        m_bytesBefore = bytesSent();
    }
    // Queued: by then all canvases have drawn, and Qt has sent its own drawings.
    QMetaObject::invokeMethod(this, &FramePacer::ask, Qt::QueuedConnection);
}

void FramePacer::ask()
{
    m_sending = false;
    m_echo->ask();
    m_questions.append({m_begun, now(), bytesSent() - m_bytesBefore});
    if (m_requested && !m_timer.isActive())
        schedule();
}

void FramePacer::takeAnswer()
{
    if (m_questions.isEmpty())
        return;
    const Question question = m_questions.takeFirst();
    if (m_requested)
        schedule();
    Q_EMIT answered(Answer{now() - question.asked, now() - question.begun, question.bytes});
}

} // namespace rankdeck

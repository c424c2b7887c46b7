#include "mainwindow/session/runsampling.h"

#include "base/times.h"
#include "devicedetails/devicedetails.h"
#include "devicedetails/deviceplot.h"
#include "devicegrid/grid/devicegrid.h"
#include "mainwindow/session/runsession.h"

namespace rankdeck
{

constexpr int staleLookMs = 10'000;

/// Returns one line; empty if no problem is known.
static QString problemText(const RunSamples &samples)
{
    const QMap<QString, Error> &problems = samples.problems();
    if (problems.isEmpty())
        return {};
    const QString first =
        problems.size() == 1 && problems.firstKey().isEmpty()
            ? problems.first().sentence()
            : RunSampling::tr("Node %1: %2").arg(problems.firstKey(), problems.first().sentence());
    return problems.size() == 1
               ? first
               : RunSampling::tr("%1 (nodes with a problem: %2)").arg(first).arg(problems.size());
}

RunSampling::RunSampling(DeviceGrid *grid, DeviceDetails *details, QWidget *page)
    : QObject(page)
    , m_grid(grid)
    , m_details(details)
    , m_page(page)
    , m_feed(200, this)
    , m_stale(this)
{
    m_stale.setInterval(staleLookMs);
    connect(&m_feed, &QTimer::timeout, this, &RunSampling::feed);
    connect(&m_stale, &QTimer::timeout, this, &RunSampling::feed);
    for (CanvasWidget *const canvas :
         {static_cast<CanvasWidget *>(grid), static_cast<CanvasWidget *>(details->plot())}) {
        canvas->installEventFilter(this);
        connect(canvas, &CanvasWidget::seenAgain, this, &RunSampling::updateWish);
    }
    details->installEventFilter(this);
    connect(grid, &DeviceGrid::currentChanged, this, &RunSampling::updateWish);
    connect(details, &DeviceDetails::currentProcessChanged, this, &RunSampling::updateWish);
}

void RunSampling::setSession(RunSession *session)
{
    m_session = session;
    m_wish = {};
    m_attempt = -1;
    m_isLive = false;
    clear();
    if (!session)
        return;
    connect(session, &RunSession::sampled, this, &RunSampling::take);
    connect(session, &RunSession::recentTold, this, &RunSampling::takeRecent);
    connect(session, &RunSession::samplesReplayed, this, [this](const RunSamples &samples) {
        m_samples = samples;
        feed();
    });
}

void RunSampling::clear()
{
    m_samples.clear();
    m_stale.stop();
    m_feed.stop();
    feed();
}

void RunSampling::setState(const RunState &state)
{
    if (m_session->isReplay())
        return; // Its samples come with each state.
    const bool isFirst = m_attempt < 0;
    if (std::exchange(m_attempt, state.attempt) != state.attempt && !isFirst)
        clear();
    // A run that has ended has no present values.
    if (std::exchange(m_isLive, isLive(state.phase)) && !m_isLive)
        clear();
    bool hasForgotten = false;
    for (std::size_t process = 0; process < state.ranks.size(); ++process) {
        const RunSamples::Sample *const sample = m_samples.of(static_cast<int>(process));
        const bool isKnown = sample && (sample->load || !sample->foreign.isEmpty());
        if (!state.ranks[process].status || !isKnown)
            continue;
        m_samples.forget(static_cast<int>(process));
        hasForgotten = true;
    }
    if (hasForgotten)
        m_feed.start();
    if (isFirst && m_isLive)
        m_session->tellRecent();
    watchWindow();
    updateWish();
}

void RunSampling::take(const NodeSample &sample)
{
    if (!m_isLive)
        return;
    m_samples.take(sample);
    m_stale.start();
    if (!m_feed.isActive())
        m_feed.start();
    // No event reports that a window is covered: check with each sample.
    updateWish();
}

void RunSampling::takeRecent(const RecentBusyness &recent)
{
    if (!m_isLive)
        return;
    for (const RecentBusyness::Moment &moment : recent.moments)
        m_samples.addRecent(moment.process, utcTime(moment.time), moment.busy);
    m_feed.start();
}

void RunSampling::feed()
{
    m_grid->setSamples(m_samples);
    m_details->setSamples(m_samples,
                          m_session ? m_session->state().timeSeen() : QDateTime::currentDateTimeUtc());
    const QString problem = problemText(m_samples);
    if (std::exchange(m_problem, problem) != problem)
        Q_EMIT problemChanged(problem);
}

SampleWish RunSampling::wanted() const
{
    // Canvases alone know whether the window is covered; the plot is on a page that may not be in front.
    const CanvasWidget *canvas = m_details->plot();
    if (!canvas->isVisible() && m_grid->isVisible())
        canvas = m_grid;
    const bool isSeen = canvas->isVisible() ? canvas->isSeen() : !m_page->window()->isMinimized();
    const bool areDetails = m_details->isVisible() && isSeen;
    if (!m_isLive || (!areDetails && !m_grid->isSeen()))
        return {};
    const int current = areDetails ? m_details->currentProcess() : m_grid->currentProcess();
    return {true, current};
}

void RunSampling::updateWish()
{
    const SampleWish wish = wanted();
    if (m_session && std::exchange(m_wish, wish) != wish)
        m_session->sample(wish);
}

/// A window is minimised and restored without events for its children.
void RunSampling::watchWindow()
{
    QWidget *const window = m_page->window();
    if (window == m_window)
        return;
    if (m_window)
        m_window->removeEventFilter(this);
    m_window = window;
    window->installEventFilter(this);
}

bool RunSampling::eventFilter(QObject *watched, QEvent *event)
{
    // Queued: after the watched object has handled the event.
    const QEvent::Type type = event->type();
    if (type == QEvent::WindowStateChange || type == QEvent::Show || type == QEvent::Hide)
        QMetaObject::invokeMethod(this, &RunSampling::updateWish, Qt::QueuedConnection);
    return QObject::eventFilter(watched, event);
}

} // namespace rankdeck

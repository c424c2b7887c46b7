#include "launchform/planpreview.h"

#include "launchform/previewworker.h"
#include "ranktable/chipchoice.h"

namespace rankdeck
{

PlanPreview::PlanPreview(QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("plan preview"))
    , m_worker(new PreviewWorker)
{
    m_debounce.setSingleShot(true);
    m_debounce.setInterval(std::chrono::milliseconds(150));
    connect(&m_debounce, &QTimer::timeout, this, &PlanPreview::send);
    connect(m_worker, &PreviewWorker::ready, this, &PlanPreview::receive);
    m_thread.adopt(m_worker);
}

void PlanPreview::request(const LaunchSpec &spec)
{
    m_wanted = spec;
    m_debounce.start();
}

void PlanPreview::send()
{
    if (m_busy || !m_wanted)
        return;
    m_busy = true;
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, spec = *m_wanted, chip = ChipChoice::remembered()] { worker->make(spec, chip); },
        Qt::QueuedConnection);
    m_wanted.reset();
}

void PlanPreview::receive(const PreviewResult &result)
{
    m_busy = false;
    if (!m_wanted)
        Q_EMIT ready(result);
    else if (!m_debounce.isActive())
        send();
}

} // namespace rankdeck

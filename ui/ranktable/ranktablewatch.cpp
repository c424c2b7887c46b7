#include "ranktable/ranktablewatch.h"

#include "ranktable/ranktableworker.h"

namespace rankdeck
{

RankTableWatch::RankTableWatch(QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("rank table"))
    , m_worker(new RankTableWorker)
{
    qRegisterMetaType<RankTableLook>();
    connect(m_worker, &RankTableWorker::reading, this, [this](int request, qint64 bytes) {
        if (request == m_request)
            Q_EMIT reading(bytes);
    });
    connect(m_worker, &RankTableWorker::looked, this, [this](int request, const RankTableLook &look) {
        if (request == m_request)
            Q_EMIT looked(look);
    });
    m_thread.adopt(m_worker);
}

void RankTableWatch::watch(const QString &path, Chip chip)
{
    m_worker->setNewest(++m_request);
    QMetaObject::invokeMethod(
        m_worker,
        [worker = m_worker, request = m_request, path, chip] { worker->watch(request, path, chip); },
        Qt::QueuedConnection);
}

void RankTableWatch::setPaused(bool paused)
{
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, paused] { worker->setPaused(paused); }, Qt::QueuedConnection);
}

} // namespace rankdeck

#include "launchform/launchjob.h"

#include "launchform/launchworker.h"
#include "ranktable/chipchoice.h"

namespace rankdeck
{

LaunchJob::LaunchJob(const LaunchSpec &spec, QObject *parent)
    : QObject(parent)
    , m_thread(QStringLiteral("launch"))
    , m_worker(new LaunchWorker(spec, ChipChoice::remembered()))
{
    connect(m_worker, &LaunchWorker::progress, this, &LaunchJob::progress);
    qRegisterMetaType<TableCheck>();
    connect(m_worker, &LaunchWorker::tableHasErrors, this, &LaunchJob::tableHasErrors);
    qRegisterMetaType<QList<Holder>>();
    connect(m_worker, &LaunchWorker::held, this, &LaunchJob::held);
    connect(m_worker, &LaunchWorker::launched, this, [this](const QString &runDirectory) {
        Q_EMIT launched(runDirectory);
        Q_EMIT finished();
    });
    connect(m_worker, &LaunchWorker::failed, this, [this](const Error &error) {
        Q_EMIT failed(error);
        Q_EMIT finished();
    });
    connect(m_worker, &LaunchWorker::cancelled, this, [this] {
        Q_EMIT cancelled();
        Q_EMIT finished();
    });
    m_thread.adopt(m_worker);
}

LaunchJob::~LaunchJob()
{
    m_worker->requestCancel();
}

void LaunchJob::start()
{
    QMetaObject::invokeMethod(m_worker, &LaunchWorker::run, Qt::QueuedConnection);
}

void LaunchJob::cancel()
{
    m_worker->requestCancel();
}

void LaunchJob::proceed()
{
    QMetaObject::invokeMethod(m_worker, &LaunchWorker::proceed, Qt::QueuedConnection);
}

void LaunchJob::stopHolders()
{
    QMetaObject::invokeMethod(m_worker, &LaunchWorker::stopHolders, Qt::QueuedConnection);
}

void LaunchJob::launchAllTheSame()
{
    QMetaObject::invokeMethod(m_worker, &LaunchWorker::launchAllTheSame, Qt::QueuedConnection);
}

} // namespace rankdeck

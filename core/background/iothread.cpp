#include "background/iothread.h"

#include <QThread>

namespace rankdeck
{

IoThread::IoThread(const QString &name)
    : m_thread(std::make_unique<QThread>())
{
    m_thread->setObjectName(name);
    m_thread->start();
}

IoThread::~IoThread()
{
    constexpr unsigned long patienceMs = 2000;
    m_thread->quit();
    if (m_thread->wait(patienceMs))
        return;
    QThread *hanging = m_thread.release();
    QObject::connect(hanging, &QThread::finished, hanging, &QObject::deleteLater);
}

void IoThread::adopt(QObject *worker)
{
    QObject::connect(m_thread.get(), &QThread::finished, worker, &QObject::deleteLater);
    worker->moveToThread(m_thread.get());
}

} // namespace rankdeck

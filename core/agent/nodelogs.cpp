#include "agent/nodelogs.h"

namespace rankdeck
{

NodeLogs::NodeLogs(AgentLink &link, const QStringList &files, const LogMirror::Options &options,
                   QObject *parent)
    : QObject(parent)
    , m_mirror(new LogMirror(files, options))
{
    m_mirror->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_mirror, &QObject::deleteLater);
    connect(m_mirror, &LogMirror::wish, &link, &AgentLink::wish);
    connect(m_mirror, &LogMirror::failed, this,
            [this](int, const QString &sentence) { Q_EMIT failed(sentence); });
    // A node that breaks the rules is none of ours to talk to.
    const auto demand = [&link](bool isUsable) {
        if (!isUsable)
            QMetaObject::invokeMethod(&link, &AgentLink::abort);
    };
    connect(&link, &AgentLink::logNews, m_mirror,
            [this, demand](const QByteArray &line) { demand(m_mirror->takeNews(line)); });
    connect(&link, &AgentLink::logChunk, m_mirror,
            [this, demand](const QByteArray &bytes) { demand(m_mirror->takeChunk(bytes)); });
    m_thread.start();
    QMetaObject::invokeMethod(m_mirror, &LogMirror::connected);
}

NodeLogs::~NodeLogs()
{
    // What has been heard stands in the thread's queue before this.
    QMetaObject::invokeMethod(
        m_mirror, [] {}, Qt::BlockingQueuedConnection);
    m_thread.quit();
    m_thread.wait();
}

} // namespace rankdeck

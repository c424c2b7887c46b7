#include "agent/nodelogs.h"

#include "launch/writtenfiles.h"

namespace rankdeck
{

namespace
{

QList<int> filesOf(const QList<int> &processes)
{
    QList<int> files;
    for (const int process : processes) {
        for (int file = 0; file < writtenFileCount; ++file)
            files << writtenFileCount * process + file;
    }
    return files;
}

} // namespace

NodeLogs::NodeLogs(AgentLink &link, const QStringList &files, const LogMirror::Options &options,
                   QObject *parent)
    : QObject(parent)
    , m_followsAll(options.followAll)
    , m_mirror(new LogMirror(files, options))
{
    m_mirror->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_mirror, &QObject::deleteLater);
    connect(m_mirror, &LogMirror::wish, &link, &AgentLink::wish);
    connect(m_mirror, &LogMirror::failed, this,
            [this](int, const QString &sentence) { Q_EMIT failed(sentence); });
    // A node that breaks the rules is none of ours to talk to.
    const auto demand = [this, &link](bool isUsable) {
        if (!isUsable)
            QMetaObject::invokeMethod(&link, &AgentLink::abort);
        else
            Q_EMIT progressed(m_mirror->behind() + m_mirror->waiting());
    };
    connect(&link, &AgentLink::logNews, m_mirror,
            [this, demand](const QByteArray &line) { demand(m_mirror->takeNews(line)); });
    connect(&link, &AgentLink::logChunk, m_mirror,
            [this, demand](const QByteArray &bytes) { demand(m_mirror->takeChunk(bytes)); });
    m_thread.start();
    const int hooks = static_cast<int>(files.size()) - hookLogCount;
    QMetaObject::invokeMethod(m_mirror, [mirror = m_mirror, hooks] {
        mirror->connected();
        mirror->follow({hooks, hooks + 1});
    });
}

void NodeLogs::show(const QList<int> &processes)
{
    QList<int> left = m_shown;
    m_shown = processes;
    const QList<int> first = filesOf(processes);
    left.removeIf([this](int process) { return m_shown.contains(process) || m_wanted.contains(process); });
    QMetaObject::invokeMethod(m_mirror, [mirror = m_mirror, first, left = filesOf(left), all = m_followsAll] {
        mirror->setFirst(first);
        if (all)
            return;
        mirror->leave(left);
        mirror->follow(first);
    });
}

void NodeLogs::want(const QList<int> &processes)
{
    m_wanted += processes;
    QMetaObject::invokeMethod(m_mirror,
                              [mirror = m_mirror, files = filesOf(processes)] { mirror->follow(files); });
}

void NodeLogs::finish()
{
    m_isFinished = true;
    QMetaObject::invokeMethod(m_mirror, &LogMirror::finish);
}

void NodeLogs::goOn()
{
    QMetaObject::invokeMethod(m_mirror, &LogMirror::connected);
    if (m_isFinished)
        finish();
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

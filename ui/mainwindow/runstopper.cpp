#include "mainwindow/runstopper.h"

#include "background/iothread.h"

namespace rankdeck
{

RunStopper::RunStopper(const QStringList &directories, IoThread &control, QObject *parent)
    : QObject(parent)
    , m_waiting(directories)
{
    for (const QString &directory : directories) {
        RemoteOwner<RunClient> client(new RunClient(directory));
        connect(client.get(), &RunClient::stateChanged, this, [this, directory](const RunState &state) {
            if (state.phase == RunPhase::Stopping || !isLive(state.phase))
                settle(directory);
        });
        // What is no run, or no longer there, has nothing left to stop.
        connect(client.get(), &RunClient::failed, this, [this, directory] { settle(directory); });
        control.adopt(client.get());
        m_clients.push_back(std::move(client));
    }
    m_deadline.setSingleShot(true);
    m_deadline.setInterval(10'000);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        m_finished = true;
        Q_EMIT finished(m_waiting);
    });
}

void RunStopper::start()
{
    for (const RemoteOwner<RunClient> &client : m_clients) {
        QMetaObject::invokeMethod(client.get(), &RunClient::open);
        QMetaObject::invokeMethod(client.get(), &RunClient::stop);
    }
    m_deadline.start();
}

void RunStopper::settle(const QString &directory)
{
    m_waiting.removeAll(directory);
    if (!m_waiting.isEmpty() || m_finished)
        return;
    m_finished = true;
    m_deadline.stop();
    Q_EMIT finished({});
}

} // namespace rankdeck

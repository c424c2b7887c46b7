#include "run/runclient.h"

#include "run/peer.h"

#include <QMetaType>

namespace rankdeck
{

namespace
{

constexpr int newsMs = 50;
constexpr int retryMs = 50;
constexpr qint64 maxReceivedBytes = 4096;

} // namespace

RunClient::RunClient(QString runDirectory, QObject *parent)
    : QObject(parent)
    , m_reader(std::move(runDirectory))
    , m_socket(this)
    , m_retry(this)
    , m_news(this)
{
    qRegisterMetaType<RunState>();
    m_retry.setSingleShot(true);
    m_retry.setInterval(retryMs);
    m_news.setSingleShot(true);
    m_news.setInterval(newsMs);
    m_socket.setReadBufferSize(maxReceivedBytes);
    connect(&m_retry, &QTimer::timeout, this, [this] {
        readNews();
        connectToSupervisor();
    });
    connect(&m_news, &QTimer::timeout, this, &RunClient::readNews);
    connect(&m_socket, &QLocalSocket::connected, this, &RunClient::greet);
    connect(&m_socket, &QLocalSocket::readyRead, this, &RunClient::readSocket);
    connect(&m_socket, &QLocalSocket::disconnected, this, [this] {
        m_greeted = false;
        readNews();
        m_retry.start();
    });
    connect(&m_socket, &QLocalSocket::errorOccurred, this, [this] { m_retry.start(); });
}

RunClient::~RunClient()
{
    // A socket that is destroyed tells of its end, to timers that are gone by then.
    m_socket.disconnect(this);
}

void RunClient::open()
{
    const auto state = m_reader.open();
    if (!state) {
        Q_EMIT failed(state.error().sentence());
        return;
    }
    Q_EMIT stateChanged(*state);
    connectToSupervisor();
}

void RunClient::connectToSupervisor()
{
    if (isLive(m_reader.state().phase) && m_socket.state() == QLocalSocket::UnconnectedState)
        m_socket.connectToServer(m_reader.record().socketPath);
}

void RunClient::greet()
{
    if (!isSameUser(m_socket)) {
        Q_EMIT failed(tr("the run's socket is not held by you: %1").arg(m_socket.fullServerName()));
        m_socket.abort();
        return;
    }
    m_retry.stop();
    m_received.clear();
    m_socket.write(QByteArray(runProtocol) + '\n');
    sendQueued();
}

void RunClient::readSocket()
{
    m_received += m_socket.readAll();
    for (qsizetype end; (end = m_received.indexOf('\n')) >= 0;) {
        const QByteArray line = m_received.left(end);
        m_received.remove(0, end + 1);
        if (!m_greeted && line != runProtocol) {
            Q_EMIT failed(tr("the run's supervisor is of another version of Rankdeck"));
            m_socket.abort();
            return;
        }
        m_greeted = true;
    }
    if (m_received.size() >= maxReceivedBytes)
        m_socket.abort();
    if (!m_news.isActive())
        m_news.start();
}

void RunClient::readNews()
{
    m_news.stop();
    if (m_reader.update())
        Q_EMIT stateChanged(m_reader.state());
}

void RunClient::stop()
{
    ask("stop");
}

void RunClient::kill()
{
    ask("kill");
}

void RunClient::ask(const QByteArray &command)
{
    if (!isLive(m_reader.state().phase))
        return;
    m_queued += command + '\n';
    if (m_socket.state() == QLocalSocket::ConnectedState)
        sendQueued();
}

void RunClient::sendQueued()
{
    m_socket.write(m_queued);
    m_socket.flush();
    m_queued.clear();
}

} // namespace rankdeck

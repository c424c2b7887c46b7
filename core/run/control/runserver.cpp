#include "run/control/runserver.h"

#include <QFile>
#include <QFileInfo>

#include <set>

#include <sys/stat.h>

namespace rankdeck
{

/// No samples are sent to a client that has more unread bytes than this.
constexpr qint64 mostUnreadBytes = 4096;

RunServer::RunServer()
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &RunServer::accept);
}

bool RunServer::listen(const QString &path)
{
    m_path = path;
    QLocalServer::removeServer(path);
    return m_server.listen(path);
}

void RunServer::listenAgainIfGone()
{
    if (m_path.isEmpty() || QFileInfo::exists(m_path))
        return;
    const QString folder = QFileInfo(m_path).path();
    mkdir(QFile::encodeName(folder).constData(), 0700);
    // Without the folder there is nothing to do yet; the old socket stays until the next call.
    if (!QFileInfo(folder).isDir())
        return;
    m_server.close();
    m_server.listen(m_path);
}

void RunServer::accept()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        const bool isOurs = isSameUser(socket->socketDescriptor());
        if (!isOurs || m_clients.size() >= mostClients) {
            // Two lines always fit into a socket that nothing was written to.
            if (isOurs) {
                send(socket, runProtocol);
                send(socket, runIsFull);
                socket->flush();
            }
            socket->abort();
            socket->deleteLater();
            continue;
        }
        socket->setReadBufferSize(PeerTalk::longestLine);
        m_clients.emplace(socket, Client());
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QLocalSocket::disconnected, this, [this, socket] { forget(socket); });
        connect(socket, &QLocalSocket::bytesWritten, this, [this, socket] { sendWaiting(socket); });
        send(socket, runProtocol);
        send(socket, "news");
    }
}

void RunServer::read(QLocalSocket *socket)
{
    const auto client = m_clients.find(socket);
    if (client == m_clients.end())
        return;
    PeerTalk &talk = client->second.talk;
    talk.hear(socket->readAll());
    QList<QByteArray> requests;
    while (const auto request = talk.takeLine())
        requests << *request;
    if (talk.state() == PeerTalk::State::OtherVersion)
        socket->disconnectFromServer(); // It has our first line and can tell its user.
    else if (talk.state() == PeerTalk::State::Unusable)
        socket->abort();
    // Last: a request may end this server.
    for (const QByteArray &line : std::as_const(requests))
        carryOut(socket, line);
}

void RunServer::carryOut(QLocalSocket *socket, const QByteArray &line)
{
    const auto message = clientMessageFrom(line);
    const auto client = m_clients.find(socket);
    if (!message || client == m_clients.end())
        return;
    std::visit(Overloaded{
                   [&](const auto &request) { Q_EMIT requested(request); },
                   [&](const TerminalInput &input) { type(socket, input); },
                   [&](const KeyboardRequest &request) {
                       client->second.name = request.name;
                       if (!m_keyboard || request.evenIfHeld)
                           giveKeyboard(socket);
                       else
                           sendKeyboard(socket);
                   },
                   [&](const SampleWish &wish) { takeWish(client->second, wish); },
                   [&](const ShownLogs &shown) {
                       client->second.shown = shown.processes;
                       Q_EMIT shownChanged();
                   },
               },
               *message);
}

void RunServer::type(QLocalSocket *socket, const TerminalInput &input)
{
    if (!m_keyboard)
        giveKeyboard(socket);
    if (m_keyboard == socket)
        Q_EMIT requested(input);
    else
        sendKeyboard(socket);
}

void RunServer::giveKeyboard(QLocalSocket *socket)
{
    if (std::exchange(m_keyboard, socket) == socket)
        return;
    for (const auto &[client, unused] : m_clients)
        sendKeyboard(client);
}

void RunServer::sendKeyboard(QLocalSocket *socket)
{
    Keyboard keyboard;
    if (m_keyboard) {
        keyboard.isOurs = m_keyboard == socket;
        const QString &name = m_clients.at(m_keyboard).name;
        if (!keyboard.isOurs)
            keyboard.holder = name.isEmpty() ? tr("another program") : name;
    }
    send(socket, keyboard.toLine());
}

void RunServer::forget(QLocalSocket *socket)
{
    const auto client = m_clients.find(socket);
    const bool showedSome = client != m_clients.end() && !client->second.shown.isEmpty();
    m_clients.erase(socket);
    socket->deleteLater();
    if (m_keyboard == socket)
        giveKeyboard(nullptr);
    if (showedSome)
        Q_EMIT shownChanged();
    checkWish();
}

void RunServer::takeWish(Client &client, const SampleWish &wish)
{
    client.wish = wish;
    client.wishNumber = ++m_wishes;
    if (!wish.isWanted)
        client.samples.clear();
    checkWish();
}

void RunServer::checkWish()
{
    const SampleWish now = wish();
    if (std::exchange(m_wish, now) != now)
        Q_EMIT wishChanged();
}

SampleWish RunServer::wish() const
{
    SampleWish wish;
    quint64 newest = 0;
    for (const auto &[socket, client] : m_clients) {
        if (client.wish.isWanted && client.wishNumber > newest) {
            wish = client.wish;
            newest = client.wishNumber;
        }
    }
    return wish;
}

void RunServer::send(const NodeSample &sample)
{
    if (!m_wish.isWanted)
        return;
    const QByteArray line = sample.toLine();
    if (line.size() > NodeSample::longestLine)
        return;
    for (auto &[socket, client] : m_clients) {
        if (!client.wish.isWanted)
            continue;
        client.samples.insert(sample.node, line);
        sendWaiting(socket);
    }
}

void RunServer::sendWaiting(QLocalSocket *socket)
{
    const auto client = m_clients.find(socket);
    if (client == m_clients.end())
        return;
    if (client->second.isToBeNotified) {
        if (socket->bytesToWrite() > 0)
            return;
        client->second.isToBeNotified = false;
        send(socket, "news");
    }
    QMap<QString, QByteArray> &samples = client->second.samples;
    while (!samples.isEmpty() && socket->bytesToWrite() <= mostUnreadBytes)
        send(socket, samples.take(samples.firstKey()));
}

QList<int> RunServer::shown() const
{
    std::set<int> shown;
    for (const auto &[socket, client] : m_clients)
        shown.insert(client.shown.begin(), client.shown.end());
    return {shown.begin(), shown.end()};
}

void RunServer::notify()
{
    for (auto &[socket, client] : m_clients) {
        // One notice is enough for all that happens until the client takes it: it will read everything.
        client.isToBeNotified = true;
        sendWaiting(socket);
    }
}

void RunServer::close()
{
    m_keyboard = nullptr;
    m_path.clear();
    m_server.close();
    while (!m_clients.empty()) {
        QLocalSocket *socket = m_clients.begin()->first;
        m_clients.erase(m_clients.begin());
        socket->disconnect(this);
        socket->flush();
        socket->disconnectFromServer();
    }
}

} // namespace rankdeck

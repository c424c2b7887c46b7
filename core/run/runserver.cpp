#include "run/runserver.h"

#include "run/peer.h"

#include <QFile>
#include <QFileInfo>
#include <QLocalSocket>

#include <sys/stat.h>

namespace rankdeck
{

namespace
{

constexpr qint64 maxCommandBytes = 4096;

} // namespace

RunServer::RunServer(QObject *parent)
    : QObject(parent)
{
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    connect(&m_server, &QLocalServer::newConnection, this, &RunServer::accept);
}

RunServer::~RunServer()
{
    close();
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
    // Without a folder there is nothing to do yet; the old socket stays, for the next look.
    if (!QFileInfo(folder).isDir())
        return;
    m_server.close();
    m_server.listen(m_path);
}

void RunServer::accept()
{
    while (QLocalSocket *socket = m_server.nextPendingConnection()) {
        if (!isSameUser(*socket)) {
            socket->abort();
            socket->deleteLater();
            continue;
        }
        socket->setReadBufferSize(maxCommandBytes);
        m_unread.emplace(socket, QByteArray());
        connect(socket, &QLocalSocket::readyRead, this, [this, socket] { read(socket); });
        connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
            m_unread.erase(socket);
            socket->deleteLater();
        });
        send(socket, runProtocol);
        send(socket, "news");
    }
}

void RunServer::read(QLocalSocket *socket)
{
    const auto unread = m_unread.find(socket);
    if (unread == m_unread.end())
        return;
    QByteArray &text = unread->second;
    text += socket->readAll();
    if (text.size() > maxCommandBytes) {
        socket->abort();
        return;
    }
    for (qsizetype end; (end = text.indexOf('\n')) >= 0;) {
        const QByteArray command = text.left(end);
        text.remove(0, end + 1);
        if (command == "stop")
            Q_EMIT stopRequested();
        else if (command == "kill")
            Q_EMIT killRequested();
    }
}

void RunServer::send(QLocalSocket *socket, const QByteArray &line)
{
    socket->write(line + '\n');
}

void RunServer::notify()
{
    for (const auto &[socket, unread] : m_unread) {
        // A client that has not taken the last notice needs no second one: it will read everything.
        if (socket->bytesToWrite() == 0)
            send(socket, "news");
    }
}

void RunServer::close()
{
    m_path.clear();
    m_server.close();
    while (!m_unread.empty()) {
        QLocalSocket *socket = m_unread.begin()->first;
        m_unread.erase(m_unread.begin());
        socket->disconnect(this);
        socket->flush();
        socket->disconnectFromServer();
    }
}

} // namespace rankdeck

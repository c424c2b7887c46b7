#pragma once

#include "run/control/peer.h"
#include "run/record/runrequests.h"
#include "run/samples/nodesample.h"

#include <QLocalServer>
#include <QLocalSocket>

#include <map>

namespace rankdeck
{

/// The supervisor's socket. Clients of the same user send ClientMessages. The server tells
/// them by one short line that the journal has grown, and they read it themselves; clients that are too slow
/// for samples miss some, so that a slow client costs the run nothing. Other users are refused whatever the
/// permissions of the socket are; clients above mostClients are refused and told so.
class RunServer : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t mostClients = 256;

    RunServer();
    ~RunServer() override { close(); }

    /// False if the socket cannot be made; errorString() says why.
    bool listen(const QString &path);
    QString errorString() const { return m_server.errorString(); }
    /// Listens again if the socket's file is gone, as after logout (XDG_RUNTIME_DIR). Clients stay connected.
    void listenAgainIfGone();
    /// Tells every client that there is something new to read.
    void notify();
    /// Returns the processes whose logs some client shows, by index in the plan, ascending; may not exist.
    QList<int> shown() const;
    /// Returns the wish of the client that wants samples and spoke last. Its process may not exist.
    SampleWish wish() const;
    /// Sends a sample to the clients that want samples. Slow ones get the newest of each node when they can.
    void send(const NodeSample &sample);
    /// Disconnects all clients and stops listening; returns once everything sent is on its way.
    void close();

Q_SIGNALS:
    /// Emitted for each request but TerminalInput of a client without the keyboard; processes may not exist.
    void requested(const rankdeck::Request &request);
    void shownChanged();
    void wishChanged();

private:
    struct Client {
        PeerTalk talk;
        QList<int> shown;
        QString name; ///< As the client calls itself.
        SampleWish wish;
        quint64 wishNumber = 0;            ///< Counts all wishes, so that the greatest is the newest.
        QMap<QString, QByteArray> samples; ///< By node: lines that wait to be sent.
        bool isToBeNotified = false;       ///< Once everything sent before is on its way.
    };

    void accept();
    void forget(QLocalSocket *socket);
    void carryOut(QLocalSocket *socket, const QByteArray &line);
    void read(QLocalSocket *socket);
    void type(QLocalSocket *socket, const TerminalInput &input);
    void giveKeyboard(QLocalSocket *socket);
    void sendKeyboard(QLocalSocket *socket);
    void takeWish(Client &client, const SampleWish &wish);
    void sendWaiting(QLocalSocket *socket);
    void checkWish();
    static void send(QLocalSocket *socket, const QByteArray &line) { socket->write(line + '\n'); }

    QLocalServer m_server;
    QString m_path;
    std::map<QLocalSocket *, Client> m_clients;
    QLocalSocket *m_keyboard = nullptr; ///< The client that may type; null: none has asked.
    quint64 m_wishes = 0;               ///< Number of wishes so far.
    SampleWish m_wish;                  ///< The last one that wishChanged() reported.
};

} // namespace rankdeck

#pragma once

#include "run/attachedtool.h"
#include "run/keyboard.h"
#include "run/peer.h"
#include "run/samples/nodesample.h"
#include "run/samples/samplewish.h"
#include "run/signalrequest.h"
#include "run/stoprequest.h"
#include "run/terminalinput.h"

#include <QByteArray>
#include <QLocalServer>
#include <QObject>
#include <QString>

#include <map>

class QLocalSocket;

namespace rankdeck
{

/// The supervisor's socket. Clients of the same user may ask for a stop of the whole run or of some of its
/// processes, type into terminals of ranks, one at a time, and say whose logs they show and whether they want
/// samples; they are told, by one short line, that the journal has grown and read it themselves, and of
/// samples they miss what they are too slow for, so that a slow client costs the run nothing. Other users are
/// refused whatever the permissions of the socket are, and more clients than anybody needs as well; these are
/// told.
class RunServer : public QObject
{
    Q_OBJECT

public:
    static constexpr std::size_t mostClients = 256;

    explicit RunServer(QObject *parent = nullptr);
    ~RunServer() override;

    /// False when the socket cannot be made; errorString() says why.
    bool listen(const QString &path);
    QString errorString() const { return m_server.errorString(); }
    /// Listen again when the socket's file has gone: XDG_RUNTIME_DIR goes when a user's last session ends,
    /// and comes back with the next. Clients that are connected stay so.
    void listenAgainIfGone();
    /// Tell every client that there is something new to read.
    void notify();
    /// The processes whose logs some client shows, by index in the plan, ascending. Whether they exist is not
    /// known here.
    QList<int> shown() const;
    /// Wanted as soon as some client wants samples; looked at closely is what the client said that spoke
    /// last. Whether that process exists is not known here.
    SampleWish wish() const;
    /// To the clients that want samples. One that has not taken the last samples yet gets the newest of each
    /// node once it has.
    void send(const NodeSample &sample);
    /// Say goodbye and stop listening; returns once what was said is on its way.
    void close();

Q_SIGNALS:
    void stopRequested(const rankdeck::StopRequest &request);
    /// The stacks of these processes, by index in the plan; whether they exist is not known here.
    void dumpRequested(const QList<int> &processes);
    void toolRequested(const rankdeck::ToolRequest &request);
    void signalRequested(const rankdeck::SignalRequest &request);
    /// By the client that has the keyboard.
    void typed(const rankdeck::TerminalInput &input);
    /// What shown() is has changed.
    void shownChanged();
    /// What wish() is has changed.
    void wishChanged();

private:
    struct Client {
        PeerTalk talk;
        QList<int> shown;
        QString name; ///< As it calls itself.
        SampleWish wish;
        quint64 wishNumber = 0;            ///< Counts all wishes, so that the greatest is the newest.
        QMap<QString, QByteArray> samples; ///< By node: lines that it is too slow for.
        bool isToBeNotified = false;       ///< As soon as what is under way to it has gone.
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
    static void send(QLocalSocket *socket, const QByteArray &line);

    QLocalServer m_server;
    QString m_path;
    std::map<QLocalSocket *, Client> m_clients;
    QLocalSocket *m_keyboard = nullptr; ///< Who types; null: nobody has asked.
    quint64 m_wishes = 0;               ///< How many clients have said.
    SampleWish m_wish;                  ///< That wishChanged() told of.
};

} // namespace rankdeck

#pragma once

#include "agent/channel/agentprotocol.h"
#include "agent/channel/eventbacklog.h"
#include "agent/channel/linechannel.h"
#include "run/record/runevent.h"

#include <QLocalServer>

#include <chrono>
#include <memory>
#include <string_view>

namespace rankdeck
{

/// Option of `rankdeckctl agent` that only connects to an agent that is already running.
inline constexpr std::string_view rejoinOption = "--rejoin";

/// Where an agent waits for a head that has lost the stream to it: a socket on the agent's node, for this
/// user alone, to which rejoinAgent() leads.
class RejoinSocket : public QLocalServer
{
    Q_OBJECT

public:
    RejoinSocket();

    /// Returns false if the socket cannot be made; then no head can come back.
    bool listenFor(const QString &id);

Q_SIGNALS:
    /// A process of this user has connected. The receiver must close the descriptor.
    void joined(int descriptor);

protected:
    void incomingConnection(quintptr descriptor) override;
};

/// `rankdeckctl agent --rejoin ID`: carries standard input and output to the agent that waits as `id` on this
/// node, until either ends; says noAgentLine when there is none. Blocks; returns the exit code.
int rejoinAgent(const QString &id);

/// An agent's end of the stream to its head: standard input and output first and, when that has broken, what
/// the head comes back over. The newest stream is the head's; the end of an older one means nothing.
///
/// The head is gone for good when it is silent for the limit, or says goodbye. The end of its stream tells
/// that it is gone only where nothing leads it back, as on its own node: elsewhere what carries the stream
/// may have been killed. The guardian of a head that has died says goodbye over a stream of its own.
class HeadChannel : public QObject
{
    Q_OBJECT

public:
    /// @param limit of the silence; 0: the head is on this node, and the end of its stream tells that it is
    /// gone.
    explicit HeadChannel(std::chrono::milliseconds limit);
    ~HeadChannel() override;

    /// Sends the magic line, and heartbeats from then on.
    void start();
    void setSilenceLimit(std::chrono::seconds limit) { m_silence.setLimit(limit); }
    /// Lets the head come back by `id` from now on; events are kept until it has them.
    void awaitRejoin(const QString &id) { m_isNumbered = !id.isEmpty() && m_socket.listenFor(id); }

    void send(const QByteArray &line) { m_channel->send(line); }
    void sendFrame(quint16 channel, QByteArrayView bytes) { m_channel->sendFrame(channel, bytes); }
    void report(const RunEvent &event);
    /// Reports what happens now.
    void tell(AnyEvent what, const QString &node = {}) { report(RunEvent::now(std::move(what), node)); }
    /// Handle the number in a Heartbeat and in a Rejoin.
    void takeHeard(qint64 number);
    void resume(qint64 number);
    void takeGoodbye() { lose({}); }
    /// Returns true if the head has said nothing for longer than one that runs does.
    bool isQuiet() const;
    /// Returns true if the head has every event.
    bool isSettled() const { return m_backlog.isEmpty(); }
    bool isLost() const { return m_isLost; }
    /// Blocks until the head has read everything that was sent, or is gone. For the end of the process.
    void flush();

Q_SIGNALS:
    /// At each heartbeat, while isQuiet().
    void quiet();
    void received(const QByteArray &line);
    /// The head is connected over another stream: what was sent last may not have arrived.
    void rejoined();
    /// isSettled() has become true.
    void settled();
    /// The head is gone. Emitted once.
    /// @param silence for which it was silent; 0: its stream has ended, or it has said goodbye.
    void lost(std::chrono::seconds silence);

private:
    void connectChannel(int readFrom, int writeTo);
    void join(int descriptor);
    void lose(std::chrono::seconds silence);

    std::unique_ptr<LineChannel> m_channel;
    int m_descriptor = -1; ///< The stream that the head came back over; else -1.
    RejoinSocket m_socket;
    EventBacklog m_backlog;
    QTimer m_heartbeat;
    Silence m_silence;
    QElapsedTimer m_heard;
    bool m_isNumbered = false;
    bool m_awaitsResume = false;
    bool m_isLost = false;
};

} // namespace rankdeck

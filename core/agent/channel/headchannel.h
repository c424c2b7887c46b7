#pragma once

#include "agent/channel/eventbacklog.h"
#include "agent/channel/linechannel.h"
#include "agent/channel/rejoinsocket.h"
#include "run/runevent.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <memory>

namespace rankdeck
{

/// An agent's end of the stream to its head: standard input and output first and, when that has broken, what
/// the head comes back over. The newest stream is the head's; the end of an older one means nothing.
///
/// The head is gone for good when it says nothing for the silence limit, and as soon as its stream ends: who
/// dies closes it. Only when the head had been silent before, as behind a cut cable, is such an end the late
/// news of a broken line, and the head may still come back within the limit; so it is when the end follows
/// the first words after a silence, which the line kept back like the end itself.
class HeadChannel : public QObject
{
    Q_OBJECT

public:
    explicit HeadChannel(QObject *parent = nullptr);
    ~HeadChannel() override;

    /// Say the magic line, and from then on now and then that this is alive.
    void start();
    void setSilenceLimit(std::chrono::seconds limit) { m_silence.setInterval(limit); }
    /// From now on the head may come back by this; events are kept until it has them.
    void awaitRejoin(const QString &id);

    void send(const QByteArray &line) { m_channel->send(line); }
    void sendFrame(quint16 channel, QByteArrayView bytes) { m_channel->sendFrame(channel, bytes); }
    void report(const RunEvent &event);
    /// Of Heartbeat and Rejoin.
    void takeHeard(qint64 number);
    void resume(qint64 number);
    /// The head has every event.
    bool isSettled() const { return m_backlog.isEmpty(); }
    bool isLost() const { return m_isLost; }
    /// Before the process ends: block until everything sent has been taken, while there is a head.
    void flush();

Q_SIGNALS:
    void received(const QByteArray &line);
    /// The head is here over another stream: what was sent last may not have arrived.
    void rejoined();
    /// isSettled() has become true.
    void settled();
    /// The head is gone. Emitted once.
    void lost();

private:
    void connectChannel(int readFrom, int writeTo);
    void join(int descriptor);
    void closed();
    void lose();

    std::unique_ptr<LineChannel> m_channel;
    int m_descriptor = -1; ///< Of a stream that the head came back over.
    RejoinSocket m_socket;
    EventBacklog m_backlog;
    QTimer m_heartbeat;
    QTimer m_silence;
    QElapsedTimer m_heard;
    QElapsedTimer m_sinceSilence; ///< Since the first word after one.
    bool m_isNumbered = false;
    bool m_awaitsResume = false;
    bool m_isLost = false;
};

} // namespace rankdeck

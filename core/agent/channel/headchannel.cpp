#include "agent/channel/headchannel.h"

#include "agent/channel/agentprotocol.h"
#include "agent/channel/clockoffset.h"

#include <fcntl.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

/// A head that lives has said something within this.
constexpr std::chrono::milliseconds aliveWithin = heartbeatInterval * 5 / 2;

bool hasPassed(const QElapsedTimer &since, std::chrono::milliseconds time)
{
    return std::chrono::milliseconds(since.elapsed()) > time;
}

/// Whoever has the other ends of standard input and output is left alone.
void leaveStandardStreams()
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO})
        dup2(nothing, standard);
    close(nothing);
}

} // namespace

HeadChannel::HeadChannel(QObject *parent)
    : QObject(parent)
{
    m_heartbeat.setInterval(heartbeatInterval);
    m_silence.setInterval(silenceLimit);
    m_silence.setSingleShot(true);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] { send(ClockOffset::lineOfThisNode()); });
    connect(&m_silence, &QTimer::timeout, this, &HeadChannel::lose);
    connect(&m_socket, &RejoinSocket::joined, this, &HeadChannel::join);
    connectChannel(STDIN_FILENO, STDOUT_FILENO);
}

HeadChannel::~HeadChannel()
{
    m_channel.reset();
    if (m_descriptor >= 0)
        close(m_descriptor);
}

void HeadChannel::connectChannel(int readFrom, int writeTo)
{
    m_channel = std::make_unique<LineChannel>(readFrom, writeTo);
    connect(m_channel.get(), &LineChannel::received, this, [this](const QByteArray &line) {
        m_silence.start();
        if (hasPassed(m_heard, aliveWithin))
            m_sinceSilence.start();
        m_heard.start();
        Q_EMIT received(line);
    });
    connect(m_channel.get(), &LineChannel::closed, this, &HeadChannel::closed);
}

void HeadChannel::start()
{
    send(agentMagic);
    send(ClockOffset::lineOfThisNode());
    m_heartbeat.start();
    m_silence.start();
    m_heard.start();
}

void HeadChannel::awaitRejoin(const QString &id)
{
    m_isNumbered = !id.isEmpty() && m_socket.listenFor(id);
}

void HeadChannel::report(const RunEvent &event)
{
    const QByteArray line = event.toLine();
    if (!m_isNumbered) {
        send(line);
        return;
    }
    const QByteArray numbered = m_backlog.add(line);
    if (!m_awaitsResume)
        send(numbered);
}

void HeadChannel::takeHeard(qint64 number)
{
    const bool wasSettled = isSettled();
    m_backlog.acknowledge(number);
    if (!wasSettled && isSettled())
        Q_EMIT settled();
}

void HeadChannel::resume(qint64 number)
{
    if (!m_awaitsResume)
        return;
    m_awaitsResume = false;
    Q_EMIT rejoined();
    takeHeard(number);
    for (const QByteArray &line : m_backlog.lines())
        send(line);
}

void HeadChannel::flush()
{
    if (!m_isLost)
        m_channel->flush();
}

void HeadChannel::join(int descriptor)
{
    m_channel->drain(); // A head that has died is not waited for.
    if (m_isLost) {
        LineChannel(descriptor, descriptor).send(noAgentLine);
        ::close(descriptor);
        return;
    }
    connectChannel(descriptor, descriptor);
    m_heard.start();
    m_sinceSilence.invalidate();
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    else
        leaveStandardStreams();
    m_descriptor = descriptor;
    m_awaitsResume = true;
    send(agentMagic);
    send(ClockOffset::lineOfThisNode());
}

void HeadChannel::closed()
{
    // What was on its way when a line broke comes right before its end.
    const bool wasSilent = hasPassed(m_heard, aliveWithin) ||
                           (m_sinceSilence.isValid() && !hasPassed(m_sinceSilence, aliveWithin));
    if (!m_isNumbered || !wasSilent)
        lose();
}

void HeadChannel::lose()
{
    if (std::exchange(m_isLost, true))
        return;
    m_silence.stop();
    Q_EMIT lost();
}

} // namespace rankdeck

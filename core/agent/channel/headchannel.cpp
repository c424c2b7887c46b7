#include "agent/channel/headchannel.h"

#include "agent/channel/clocks.h"
#include "run/record/rundirectory.h"

#include <array>
#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace rankdeck
{

/// Returns an empty path if there is no folder for sockets, or `id` is not an id.
static QString socketPath(const QString &id)
{
    const bool isPlain = std::ranges::all_of(
        id, [](QChar letter) { return letter.isDigit() || (letter >= 'a'_L1 && letter <= 'f'_L1); });
    const auto folder = socketDirectory();
    constexpr int longestId = 32;
    if (!folder || !isPlain || id.isEmpty() || id.size() > longestId)
        return {};
    return *folder + u"/agent-"_s + id;
}

/// Seconds that the last output of an ended agent is waited for.
constexpr unsigned lastWordsLimit = 5;

/// @param agent descriptor; once it has hung up, this program waits only lastWordsLimit. -1: none.
static bool writeAll(int to, const char *bytes, size_t size, int agent = -1)
{
    while (size > 0) {
        std::array<pollfd, 2> ends{pollfd{to, POLLOUT, 0}, pollfd{agent, 0, 0}};
        if (agent >= 0 && poll(ends.data(), ends.size(), -1) > 0 && ends[1].revents != 0) {
            alarm(lastWordsLimit); // Ends this program.
            agent = -1;
        }
        const ssize_t written = write(to, bytes, std::min(size, size_t(PIPE_BUF)));
        if (written < 0 && errno != EINTR)
            return false;
        bytes += std::max<ssize_t>(written, 0);
        size -= static_cast<size_t>(std::max<ssize_t>(written, 0));
    }
    return true;
}

/// Returns false at the end of either stream.
static bool carry(int from, int to, int agent)
{
    std::array<char, 65536> buffer{};
    const ssize_t size = read(from, buffer.data(), buffer.size());
    if (size < 0)
        return errno == EINTR || errno == EAGAIN;
    return size > 0 && writeAll(to, buffer.data(), static_cast<size_t>(size), agent == to ? -1 : agent);
}

/// A head that is alive has sent something within this time.
constexpr std::chrono::milliseconds aliveWithin = heartbeatInterval * 5 / 2;

/// Detaches from the old standard input and output.
static void leaveStandardStreams()
{
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO})
        dup2(nothing, standard);
    close(nothing);
}

RejoinSocket::RejoinSocket()
{
    setSocketOptions(UserAccessOption);
}

bool RejoinSocket::listenFor(const QString &id)
{
    const QString path = socketPath(id);
    return !path.isEmpty() && listen(path);
}

void RejoinSocket::incomingConnection(quintptr descriptor)
{
    const auto connection = static_cast<int>(descriptor);
    if (isSameUser(connection))
        Q_EMIT joined(connection);
    else
        ::close(connection);
}

int rejoinAgent(const QString &id)
{
    signal(SIGPIPE, SIG_IGN);
    const int agent = connectedTo(socketPath(id));
    if (agent < 0 || !isSameUser(agent)) {
        const QByteArray line = QByteArray(noAgentLine) + '\n';
        writeAll(STDOUT_FILENO, line.constData(), static_cast<size_t>(line.size()));
        return 1;
    }
    std::array<pollfd, 2> ends{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{agent, POLLIN, 0}};
    for (;;) {
        if (poll(ends.data(), ends.size(), -1) < 0)
            continue;
        if (ends[1].revents != 0 && !carry(agent, STDOUT_FILENO, agent))
            return 0;
        if (ends[0].revents != 0 && !carry(STDIN_FILENO, agent, agent))
            return 0;
    }
}

HeadChannel::HeadChannel(std::chrono::milliseconds limit)
{
    m_heartbeat.setInterval(heartbeatInterval);
    m_silence.setLimit(limit);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] {
        send(ClockOffset::lineOfThisNode());
        if (isQuiet())
            Q_EMIT quiet();
    });
    connect(&m_silence, &Silence::reached, this,
            [this] { lose(std::chrono::duration_cast<std::chrono::seconds>(m_silence.limit())); });
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
        m_heard.start();
        Q_EMIT received(line);
    });
    connect(m_channel.get(), &LineChannel::closed, this, [this] {
        if (!m_isNumbered)
            lose({});
    });
}

bool HeadChannel::isQuiet() const
{
    return std::chrono::milliseconds(m_heard.elapsed()) > aliveWithin;
}

void HeadChannel::start()
{
    send({}); // A library that is loaded first may have printed words without a line's end.
    send(agentMagic);
    send(ClockOffset::lineOfThisNode());
    m_heartbeat.start();
    m_silence.start();
    m_heard.start();
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
    m_channel->drain(); // A goodbye may be among what the old stream still has.
    if (m_isLost) {
        LineChannel(descriptor, descriptor).send(noAgentLine);
        ::close(descriptor);
        return;
    }
    connectChannel(descriptor, descriptor);
    m_heard.start();
    if (m_descriptor >= 0)
        ::close(m_descriptor);
    else
        leaveStandardStreams();
    m_descriptor = descriptor;
    m_awaitsResume = true;
    send(agentMagic);
    send(ClockOffset::lineOfThisNode());
}

void HeadChannel::lose(std::chrono::seconds silence)
{
    if (std::exchange(m_isLost, true))
        return;
    m_silence.stop();
    Q_EMIT lost(silence);
}

} // namespace rankdeck

#include "agent/channel/rejoinsocket.h"

#include "agent/channel/agentprotocol.h"
#include "run/peer.h"
#include "run/rundirectory.h"

#include <QFile>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

/// Empty: there is no place for it, or `id` is none.
QString socketPath(const QString &id)
{
    const bool isPlain = std::all_of(id.begin(), id.end(), [](QChar letter) {
        return letter.isDigit() || (letter >= QLatin1Char('a') && letter <= QLatin1Char('f'));
    });
    const auto folder = socketDirectory();
    constexpr int longestId = 32;
    if (!folder || !isPlain || id.isEmpty() || id.size() > longestId)
        return {};
    return *folder + QStringLiteral("/agent-") + id;
}

/// -1: nobody of this user listens there.
int connectedTo(const QString &path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const QByteArray name = QFile::encodeName(path);
    if (name.isEmpty() || name.size() >= static_cast<qsizetype>(sizeof address.sun_path))
        return -1;
    std::memcpy(address.sun_path, name.constData(), static_cast<size_t>(name.size()));
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(descriptor, reinterpret_cast<const sockaddr *>(&address), sizeof address) == 0 &&
        isSameUser(descriptor))
        return descriptor;
    close(descriptor);
    return -1;
}

/// What an agent that has ended left to be said is waited for no longer than this, in seconds.
constexpr unsigned lastWordsLimit = 5;

/// @param agent once it has hung up, this program does not wait for long; -1: there is none.
bool writeAll(int to, const char *bytes, size_t size, int agent = -1)
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

/// False at the end of either.
bool carry(int from, int to, int agent)
{
    std::array<char, 65536> buffer{};
    const ssize_t size = read(from, buffer.data(), buffer.size());
    if (size < 0)
        return errno == EINTR || errno == EAGAIN;
    return size > 0 && writeAll(to, buffer.data(), static_cast<size_t>(size), agent == to ? -1 : agent);
}

} // namespace

RejoinSocket::RejoinSocket(QObject *parent)
    : QLocalServer(parent)
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
    if (agent < 0) {
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

} // namespace rankdeck

#include "run/peer.h"

#include <QLocalSocket>

#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck
{

bool isSameUser(const QLocalSocket &socket)
{
    return isSameUser(static_cast<int>(socket.socketDescriptor()));
}

bool isSameUser(int descriptor)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
}

std::optional<QByteArray> PeerTalk::takeLine()
{
    std::optional<QByteArray> line;
    if (m_state == State::Greeting && (line = m_lines.take())) {
        m_state = *line == runProtocol ? State::Talking : State::OtherVersion;
        m_lines.setLongestLine(m_longest);
    }
    line = m_state == State::Talking ? m_lines.take() : std::nullopt;
    if (m_lines.isOverlong())
        m_state = State::Unusable;
    return line;
}

} // namespace rankdeck

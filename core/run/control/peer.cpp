#include "run/control/peer.h"

#include <sys/socket.h>
#include <unistd.h>

namespace rankdeck
{

void LineBuffer::add(QByteArrayView bytes)
{
    if (!m_isOverlong)
        m_bytes.append(bytes);
}

std::optional<QByteArray> LineBuffer::take()
{
    const qsizetype end = m_bytes.indexOf('\n', m_searched);
    const qsizetype length = end < 0 ? m_bytes.size() : end;
    if (length > m_longestLine) {
        m_isOverlong = true;
        m_bytes.clear();
        m_searched = 0;
        return std::nullopt;
    }
    if (end < 0) {
        m_searched = length;
        return std::nullopt;
    }
    const QByteArray line = m_bytes.left(end);
    m_bytes.remove(0, end + 1);
    m_searched = 0;
    return line;
}

bool isSameUser(qintptr descriptor)
{
    ucred peer{};
    socklen_t size = sizeof peer;
    const auto file = static_cast<int>(descriptor);
    return getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == getuid();
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

#pragma once

#include "run/linebuffer.h"

#include <QByteArray>

class QLocalSocket;

namespace rankdeck
{

/// Whether the process at the other end of a local socket is this user's. Asked by both ends: a 0600 socket
/// in a 0700 directory keeps others out, but permissions can be loosened.
bool isSameUser(const QLocalSocket &socket);
/// The same of a connected socket's descriptor.
bool isSameUser(int descriptor);

/// First line that each end sends. Both look at the other's: a client of another version says so to its user,
/// a supervisor does nothing of what such a client asks.
inline constexpr char runProtocol[] = "rankdeck-run 1";
/// What a supervisor says after it to a client that is one too many.
inline constexpr char runIsFull[] = "full";

/// What one end of a run's socket hears from the other: its first line, then one request or notice a line.
class PeerTalk
{
public:
    enum class State {
        Greeting,     ///< Nothing of it is known yet.
        Talking,      ///< It is of this version.
        OtherVersion, ///< Its first line is another one.
        Unusable,     ///< It sends a line without an end.
    };
    static constexpr qsizetype longestLine = 4096;

    /// @param longest bytes of what the other end may say in a line after the first: samples are long.
    explicit PeerTalk(qsizetype longest = longestLine)
        : m_longest(longest)
    {
    }

    void hear(QByteArrayView bytes) { m_lines.add(bytes); }
    /// The next line after the first; nothing until there is one, and nothing in the last two states.
    std::optional<QByteArray> takeLine();
    State state() const { return m_state; }

private:
    qsizetype m_longest;
    LineBuffer m_lines{longestLine};
    State m_state = State::Greeting;
};

} // namespace rankdeck

#pragma once

#include "base/tr.h"

#include <optional>

namespace rankdeck
{

/// Cuts a stream of bytes into lines. An endless line makes it unusable instead of filling the memory.
class LineBuffer
{
public:
    /// @param longestLine bytes, without the line end.
    explicit LineBuffer(qsizetype longestLine)
        : m_longestLine(longestLine)
    {
    }

    void add(QByteArrayView bytes);
    void setLongestLine(qsizetype bytes) { m_longestLine = bytes; }
    /// Returns the next whole line, without its end; nothing until there is one.
    std::optional<QByteArray> take();
    /// Returns true after a line that is too long; no further line follows.
    bool isOverlong() const { return m_isOverlong; }

private:
    qsizetype m_longestLine;
    QByteArray m_bytes;
    qsizetype m_searched = 0; ///< Up to here there is no line end.
    bool m_isOverlong = false;
};

/// Returns true if the process at the other end of a connected local socket belongs to this user. Both ends
/// check it: a 0600 socket in a 0700 directory keeps others out, but permissions can be loosened.
bool isSameUser(qintptr descriptor);

/// First line of each end, which both check: a client of another version tells its user, and is ignored.
inline constexpr char runProtocol[] = "rankdeck-run 2";
/// Second line that a supervisor sends to a client above RunServer::mostClients.
inline constexpr char runIsFull[] = "full";

/// What one end of a run's socket receives: a first line, then one request or notice a line.
class PeerTalk
{
public:
    enum class State {
        Greeting,     ///< The first line has not come yet.
        Talking,      ///< The other end has this version.
        OtherVersion, ///< The first line is another one.
        Unusable,     ///< A line is too long.
    };
    static constexpr qsizetype longestLine = 4096;

    /// @param longest the most bytes in a line after the first: samples are long.
    explicit PeerTalk(qsizetype longest = longestLine)
        : m_longest(longest)
    {
    }

    void hear(QByteArrayView bytes) { m_lines.add(bytes); }
    /// Returns the next line after the first; nothing until there is one, and nothing in the last two states.
    std::optional<QByteArray> takeLine();
    State state() const { return m_state; }

private:
    qsizetype m_longest;
    LineBuffer m_lines{longestLine};
    State m_state = State::Greeting;
};

/// One visitor of a variant made of a function for each of its kinds.
template <typename... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};

template <typename... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace rankdeck

#pragma once

#include "base/tr.h"

#include <QtGlobal>

#include <chrono>

namespace rankdeck
{

// What a supervisor and its agents say to each other: one JSON object a line, either way. The agent's first
// line is agentMagic, so that whatever a login shell prints before it is recognised as such. Agents answer
// with RunEvents.

inline constexpr char agentMagic[] = "rankdeck-agent 1";
/// Sent in place of agentMagic to a head that reconnects to an agent that has ended or is ending.
inline constexpr char noAgentLine[] = "rankdeck-agent gone";

/// Interval of heartbeats …
inline constexpr std::chrono::milliseconds heartbeatInterval{2000};
/// … and the silence after which the other side is given up.
inline constexpr std::chrono::milliseconds silenceLimit{30000};

/// Time between a head's tries to reach an agent again.
inline constexpr std::chrono::milliseconds betweenTries{1000};

/// Frames beside the lines, from the agent: a LogChunk each …
inline constexpr quint16 logChannel = 1;
/// … or a piece of a flight recorder's dump each; see DumpPiece.
inline constexpr quint16 dumpChannel = 2;

/// A heartbeat without a number.
inline constexpr char heartbeatLine[] = "{}";

} // namespace rankdeck

#pragma once

#include "run/runevent.h"

#include <QByteArray>

#include <limits>
#include <optional>

namespace rankdeck
{

/// How far another node's monotonic clock is from this machine's: the least difference seen between sending
/// there and arriving here, too large by the shortest way, which is milliseconds. Its wall clock, which may
/// be wrong or be set meanwhile, is not asked.
class ClockOffset
{
public:
    /// A line that tells the sender's clock, sent as it is made.
    static QByteArray lineOfThisNode();
    /// Whether `line` is one, which has just arrived; then it is noted.
    bool note(const QByteArray &line);

    /// The event with the times that this machine's clocks showed then; as it is until a line was noted.
    RunEvent mapped(RunEvent event) const;

private:
    std::optional<qint64> m_offsetNs;
};

} // namespace rankdeck

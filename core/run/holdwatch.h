#pragma once

#include "run/runevent.h"
#include "run/runstate.h"

#include <map>
#include <optional>

namespace rankdeck
{

/// Tells when processes are held from outside and when they go on, by looks at their states: of one that is
/// held and let go on without an end ten times at once, and then once a minute, so that a journal stays
/// short. Has no clock: times are ms of any.
class HoldWatch
{
public:
    /// @param state of proc(5). A debugger that only looks in for a moment, as for stacks, is not told of.
    std::optional<RunEvent> take(int process, char state, qint64 now);
    /// It has ended.
    void forget(int process) { m_seen.erase(process); }

private:
    static constexpr int mostTellings = 10;

    struct Seen {
        Hold told = Hold::None;
        Hold last = Hold::None;
        int tellings = mostTellings; ///< Left to be made now.
        std::optional<qint64> refilledAt;
    };

    static bool mayTell(Seen &seen, qint64 now);

    std::map<int, Seen> m_seen;
};

} // namespace rankdeck

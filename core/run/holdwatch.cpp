#include "run/holdwatch.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qint64 refillMs = 60'000;

Hold holdFrom(char state)
{
    if (state == 'T')
        return Hold::Suspended;
    return state == 't' ? Hold::Traced : Hold::None;
}

} // namespace

std::optional<RunEvent> HoldWatch::take(int process, char state, qint64 now)
{
    const Hold hold = holdFrom(state);
    const auto known = m_seen.find(process);
    if (known == m_seen.end() && hold == Hold::None)
        return std::nullopt;
    Seen &seen = known == m_seen.end() ? m_seen[process] : known->second;
    const bool isSettled = hold != Hold::Traced || seen.last == hold;
    seen.last = hold;
    if (hold == seen.told || !isSettled || !mayTell(seen, now))
        return std::nullopt;
    seen.told = hold;
    RunEvent event = hold == Hold::None ? RunEvent::now(RunEvent::Kind::ProcessReleased)
                                        : RunEvent::now(RunEvent::Kind::ProcessHeld, holdWord(hold));
    event.process = process;
    return event;
}

bool HoldWatch::mayTell(Seen &seen, qint64 now)
{
    const qint64 refills = (now - seen.refilledAt.value_or(now)) / refillMs;
    seen.tellings = static_cast<int>(std::min<qint64>(mostTellings, seen.tellings + refills));
    seen.refilledAt =
        seen.tellings == mostTellings ? now : seen.refilledAt.value_or(now) + refills * refillMs;
    return seen.tellings > 0 && seen.tellings-- > 0;
}

} // namespace rankdeck

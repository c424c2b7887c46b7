#include "canvas/linkmeter.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr qsizetype mostRoundTrips = 16;

} // namespace

void LinkMeter::add(const FramePacer::Answer &answer)
{
    m_roundTrips.append(answer.roundTrip);
    if (m_roundTrips.size() > mostRoundTrips)
        m_roundTrips.removeFirst();
    // Of what it took, one round trip is no matter of how much was sent.
    const qint64 sending = answer.took - *roundTrip();
    if (answer.bytes >= leastBytes && sending > qint64(answer.bytes) * 1'000'000 / slowRate)
        m_isSlow = true;
}

std::optional<qint64> LinkMeter::roundTrip() const
{
    if (m_roundTrips.isEmpty())
        return {};
    return *std::min_element(m_roundTrips.cbegin(), m_roundTrips.cend());
}

} // namespace rankdeck

#include "devicegrid/sampleage.h"

#include <algorithm>

namespace rankdeck
{

void SampleAge::take(const QDateTime &made, const QDateTime &now)
{
    if (made == m_made)
        return;
    if (m_made.isValid())
        m_intervalMs = std::clamp(m_made.msecsTo(made), leastIntervalMs, mostIntervalMs);
    m_made = made;
    m_came = now;
}

bool SampleAge::isOld(const QDateTime &now) const
{
    return m_made.isValid() && m_came.msecsTo(now) > mostIntervals * m_intervalMs;
}

} // namespace rankdeck

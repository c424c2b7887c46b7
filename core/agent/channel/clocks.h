#pragma once

#include "run/record/runevent.h"
#include "run/samples/nodesample.h"

#include <algorithm>

namespace rankdeck
{

/// Puts the times of a node's samples, which its own clock says, on this machine's: a sample is made right
/// before it is sent. The samples that bring the same reading of NPUs have the same time for it here too.
class SampleClock
{
public:
    /// @param now when it arrived, UTC.
    NodeSample mapped(NodeSample sample, const QDateTime &now)
    {
        if (sample.devices && sample.devices->time != m_there) {
            m_there = sample.devices->time;
            m_here = now.addMSecs(std::min<qint64>(0, sample.time.msecsTo(m_there)));
        }
        if (sample.devices)
            sample.devices->time = m_here;
        sample.time = now;
        return sample;
    }

private:
    QDateTime m_there; ///< When the last reading was made, by the node's clock …
    QDateTime m_here;  ///< … and by this machine's.
};

/// How far another node's monotonic clock is from this machine's: the least difference seen between sending
/// there and arriving here, too large by the shortest way, which is milliseconds. Its wall clock, which may
/// be wrong or be set meanwhile, is not asked.
class ClockOffset
{
public:
    /// Returns a line with this machine's clock, to be sent at once.
    static QByteArray lineOfThisNode();
    /// Returns true if `line`, which has just arrived, is such a line; then its clock is noted.
    bool note(const QByteArray &line);

    /// Returns the event with this machine's times; unchanged until a line was noted.
    RunEvent mapped(RunEvent event) const;

private:
    std::optional<qint64> m_offsetNs;
};

} // namespace rankdeck

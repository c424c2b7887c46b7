#pragma once

#include "run/samples/nodesample.h"

#include <QDateTime>

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

} // namespace rankdeck

#include "run/samples/sampleage.h"

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

void SampleAges::take(const RunSamples &samples, const QDateTime &now)
{
    m_ages.removeIf([&](const std::pair<const int &, Ages &> &each) { return !samples.of(each.first); });
    for (const int process : samples.processes()) {
        const RunSamples::Sample &sample = *samples.of(process);
        Ages &ages = m_ages[process];
        if (sample.device)
            ages.device.take(sample.deviceTime, now);
        if (sample.load)
            ages.load.take(sample.time, now);
    }
}

QDateTime SampleAges::deviceOldSince(int process, const QDateTime &now) const
{
    const SampleAge age = m_ages.value(process).device;
    return age.isOld(now) ? age.made() : QDateTime();
}

QDateTime SampleAges::loadOldSince(int process, const QDateTime &now) const
{
    const SampleAge age = m_ages.value(process).load;
    return age.isOld(now) ? age.made() : QDateTime();
}

RunSamples::Sample withoutOld(RunSamples::Sample sample, const QDateTime &deviceOldSince,
                              const QDateTime &loadOldSince)
{
    if (deviceOldSince.isValid()) {
        sample.device.reset();
        sample.foreign.clear();
        sample.users.clear();
    }
    if (loadOldSince.isValid())
        sample.load.reset();
    return sample;
}

} // namespace rankdeck

#include "diagnosis/progress/steprate.h"

#include <cstddef>

namespace rankdeck
{

constexpr double windowMs = 10'000;
/// Of slow steps ten seconds have too few: a look at the log comes up to a second after a line.
constexpr std::size_t fewestSamples = 9;
/// Samples that are closer are not all kept: this bounds their number.
constexpr double closestMs = windowMs / 100;

std::optional<StepRate::Duration> StepRate::add(double ms, qint64 step)
{
    if (!m_samples.empty() && (ms < m_samples.back().ms || step <= m_samples.back().step))
        clear();
    if (m_samples.empty()) {
        m_samples.push_back({ms, step});
        return {};
    }
    Sample &newest = m_samples.back();
    if (newest.ms == ms) {
        if (m_kept == AtOneMoment::Last)
            newest.step = step;
        return {};
    }

    std::optional<Duration> point;
    if (m_kept == AtOneMoment::First)
        point = {step, (ms - newest.ms) / double(step - newest.step)};
    else if (const auto mean = stepMs())
        point = {newest.step, *mean}; // No step comes to that moment any more.

    if (m_samples.size() > 1 && newest.ms - m_samples[m_samples.size() - 2].ms < closestMs)
        newest = {ms, step};
    else
        m_samples.push_back({ms, step});
    while (m_samples.size() > fewestSamples && m_samples[1].ms <= ms - windowMs)
        m_samples.pop_front();
    return point;
}

std::optional<double> StepRate::stepMs() const
{
    if (m_samples.size() < 2)
        return {};
    const Sample &first = m_samples.front();
    const Sample &last = m_samples.back();
    return (last.ms - first.ms) / double(last.step - first.step);
}

} // namespace rankdeck

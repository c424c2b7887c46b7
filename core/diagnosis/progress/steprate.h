#pragma once

#include "base/tr.h"

#include <QtGlobal>

#include <deque>
#include <optional>

namespace rankdeck
{

/// Works out how long a step takes from when steps were reached: the mean of the last ten seconds, or of the
/// last eight moments at which steps came if these took longer.
class StepRate
{
public:
    /// Which step counts of several at one moment.
    enum class AtOneMoment {
        First, ///< Moments are stamps of lines: they are cut off, so a step is sharpest where its stamp is
               ///< new.
        Last,  ///< Moments are looks at a log: at that moment all these steps had been reached.
    };
    explicit StepRate(AtOneMoment kept)
        : m_kept(kept)
    {
    }

    struct Duration {
        qint64 step = 0;
        double ms = 0; ///< Of one step.
    };
    /// Takes the next step. One that goes back, in time or in steps, begins anew.
    /// @param ms when it was reached, ms since any moment.
    /// @return a point for a curve of step times, where there is a new one: between two stamps their own
    /// duration; the mean where moments are looks, because steps between two of them are not whole ones.
    std::optional<Duration> add(double ms, qint64 step);
    /// Returns the duration of a step, ms; nothing before the second moment.
    std::optional<double> stepMs() const;
    void clear() { m_samples.clear(); }

private:
    struct Sample {
        double ms;
        qint64 step;
    };

    AtOneMoment m_kept;
    std::deque<Sample> m_samples;
};

} // namespace rankdeck

#pragma once

#include "base/valueseries.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Loss and duration of a step against the step, of some processes of a plan.
struct ProgressCurves {
    struct Curve {
        int process = 0; ///< By index in LaunchPlan::processes.
        ValueSeries loss;
        ValueSeries stepTime; ///< ms

        bool operator==(const Curve &) const = default;
    };
    QList<Curve> curves; ///< In the order in which they were asked for.
};

/// Curves as comma-separated values, a line for each of their buckets that has a value: rank, "loss" or
/// "step_time_ms", its first and its last step, the smallest, largest and last value of these, how many there
/// were, and how many more that were no numbers. Lines end with a newline; the first names the columns.
QByteArray progressCsv(const LaunchPlan &plan, const ProgressCurves &curves);

} // namespace rankdeck

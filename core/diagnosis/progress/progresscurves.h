#pragma once

#include "valueseries.h"

#include <QList>
#include <QMetaType>

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

} // namespace rankdeck

Q_DECLARE_METATYPE(rankdeck::ProgressCurves)

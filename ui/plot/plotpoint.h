#pragma once

#include "valueseries.h"

#include <QtGlobal>

#include <vector>

namespace rankdeck
{

/// The values of a curve at one place along a plot, or at several that were put together.
struct PlotPoint {
    qint64 from = 0; ///< The first of these places: a step, or ms since 1970.
    qint64 to = 0;   ///< The last of them.
    float least = 0; ///< Of the values there …
    float most = 0;  ///< …
    float last = 0;  ///< … if there is one.
    bool hasValue = false;
    bool isOdd = false;      ///< There were values that are no numbers.
    bool isAfterGap = false; ///< Nothing is known of what was between it and the one before.

    bool operator==(const PlotPoint &) const = default;
};

/// What is drawn of a series. @param unit by which its values are divided.
std::vector<PlotPoint> plotPoints(const ValueSeries &series, double unit = 1);

} // namespace rankdeck

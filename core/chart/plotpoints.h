#pragma once

#include "base/valueseries.h"
#include "chart/plotaxis.h"

#include <limits>
#include <optional>

namespace rankdeck
{

/// The values of a curve at one place along a plot, or at several places combined.
struct PlotPoint {
    qint64 from = 0; ///< The first of these places: a step, or ms since 1970.
    qint64 to = 0;   ///< The last of these places.
    float least = 0; ///< Smallest value in these places …
    float most = 0;  ///< … largest value …
    float last = 0;  ///< … and last value; valid only with hasValue.
    bool hasValue = false;
    bool isOdd = false;      ///< Some values were not numbers.
    bool isAfterGap = false; ///< Nothing is known between it and the one before.

    bool operator==(const PlotPoint &) const = default;
};

/// Returns the points of a series. @param unit the divisor of its values.
std::vector<PlotPoint> plotPoints(const ValueSeries &series, double unit = 1);

/// Returns the points between the ends of an axis; where the curve crosses an end, one lies there.
std::vector<PlotPoint> pointsWithin(const std::vector<PlotPoint> &points, const PlotAxis &along);

/// Returns each point as the mean of itself and the points before it, which count less and less. @param
/// weight 0 .. 1: weight of the earlier points; 0 changes nothing.
std::vector<PlotPoint> smoothed(std::vector<PlotPoint> points, double weight);

/// The name of a curve.
struct PlotName {
    QString name;  ///< "rank 3"
    QString label; ///< "3", beside the curve's end.

    bool operator==(const PlotName &) const = default;
};

/// A chart with a curve for each name.
struct PlotChart {
    QString title;
    std::vector<std::vector<PlotPoint>> curves; ///< Parallel to the names; each in the order of its places.
    std::optional<double> least;                ///< The scale includes at least this value …
    std::optional<double> most;                 ///< … and this one.
    bool isLog = false;                         ///< Values of 0 and less lie at the bottom.
};

/// Returns the axis of a chart's values. @param curves the visible points of the chart's curves. @param marks
/// approximate number of marks, 2 or more.
PlotAxis valueAxis(const PlotChart &chart, const std::vector<std::vector<PlotPoint>> &curves, int marks);

/// Stands for a missing row.
inline constexpr int noRow = std::numeric_limits<int>::min();

/// Returns rows of text moved apart so that none overlap, in order and no further than needed. If not all fit
/// between `top` and `bottom`, leaves out those that would overlap.
std::vector<int> spreadRows(std::vector<int> rows, int top, int bottom, int height);

} // namespace rankdeck

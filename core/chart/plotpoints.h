#pragma once

#include "base/tr.h"
#include "base/valueseries.h"

#include <QList>

#include <limits>
#include <optional>

namespace rankdeck
{

/// The range of an axis, with marks at round numbers.
struct PlotAxis {
    double least = 0;
    double most = 1;
    QList<double> marks; ///< Ascending.
    bool isLog = false;  ///< Both ends are above 0.

    /// Returns 0 at `least`, 1 at `most`, and values outside of 0..1 beyond.
    double fraction(double value) const;
    bool operator==(const PlotAxis &) const = default;
};

/// Returns an axis that includes these values, with about `marks` marks, 2 or more. Both values are finite.
PlotAxis plotAxis(double least, double most, int marks);
/// Returns an axis that includes these values, which are above 0, between powers of ten.
PlotAxis logAxis(double least, double most, int marks);

/// Returns the step that an axis ends at: up to a tenth more than `most`, so that the plot rarely moves.
qint64 roomySteps(qint64 most);
/// Returns an axis for steps, from the first to the last.
PlotAxis stepAxis(qint64 first, qint64 last, int marks);

/// Returns the text of a mark, with just the digits that it needs: "0.5", "1,200", "1e-07".
QString markText(const PlotAxis &axis, double mark);

/// Whether an axis ends exactly at the given value, or a little behind it, so that the plot rarely moves.
enum class AxisEnd { Exact, Roomy };

/// Returns an axis of times, in ms since 1970, with about `marks` marks, 2 or more, at round local times.
PlotAxis timeAxis(qint64 first, qint64 last, int marks, AxisEnd end = AxisEnd::Roomy);

/// Returns the text of a mark: "14:22:30", "14:20", or with the day if marks are far apart.
QString timeMarkText(const PlotAxis &axis, double mark);

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

#pragma once

#include "plot/plotaxis.h"
#include "plot/plotpoint.h"

#include <QRect>

#include <vector>

namespace rankdeck
{

/// What of a curve is in one column of pixels.
struct PlotSpan {
    int top = 0;
    int bottom = -1;    ///< Below `top`, or there is nothing.
    bool isOdd = false; ///< There were values that are no numbers.

    bool isEmpty() const { return bottom < top; }
    bool operator==(const PlotSpan &) const = default;
};

/// The column of pixels, 0 .. width - 1, that a place along the plot (a step, say) is in.
int plotColumn(const PlotAxis &along, qint64 place, int width);
/// The first place that is in a column.
qint64 plotPlace(const PlotAxis &along, int column, int width);

/// A curve within `area`, one span a column: from the smallest to the largest value of its points, and on to
/// those of the next column with values, so that all of it hangs together but for its gaps.
/// @param points in their order along the plot.
std::vector<PlotSpan> plotSpans(const std::vector<PlotPoint> &points, const PlotAxis &along,
                                const PlotAxis &values, const QRect &area);

} // namespace rankdeck

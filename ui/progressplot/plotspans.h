#pragma once

#include "diagnosis/progress/progressseries.h"
#include "plot/plotaxis.h"

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

/// The column of pixels, 0 .. width - 1, that a step is in.
int plotColumn(const PlotAxis &steps, qint64 step, int width);
/// The first step that is in a column.
qint64 plotStep(const PlotAxis &steps, int column, int width);

/// A curve within `area`, one span a column: from the smallest to the largest value of its steps, and on to
/// those of the next column with values, so that all of it hangs together.
std::vector<PlotSpan> plotSpans(const ProgressSeries &series, const PlotAxis &steps, const PlotAxis &values,
                                const QRect &area);

} // namespace rankdeck

#pragma once

#include "base/valueseries.h"

#include <QRect>
#include <QSize>

#include <limits>

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

/// Returns the text of a mark, with just the digits that distinguish it from the next: "0.5", "1,200",
/// "1e-07".
QString markText(const PlotAxis &axis, double mark);

/// Whether an axis ends where it is told, or a little behind that, so that the plot rarely moves.
enum class AxisEnd { Exact, Roomy };

/// Returns an axis of times, in ms since 1970, with about `marks` marks, 2 or more, at round local times.
PlotAxis timeAxis(qint64 first, qint64 last, int marks, AxisEnd end = AxisEnd::Roomy);

/// Returns the text of a mark: "14:22:30", "14:20", or with the day if marks are far apart.
QString timeMarkText(const PlotAxis &axis, double mark);

/// The values of a curve at one place along a plot, or at several places combined.
struct PlotPoint {
    qint64 from = 0; ///< The first of these places: a step, or ms since 1970.
    qint64 to = 0;   ///< The last of these places.
    float least = 0; ///< Of the values there …
    float most = 0;  ///< …
    float last = 0;  ///< … if there is one.
    bool hasValue = false;
    bool isOdd = false;      ///< There were values that are no numbers.
    bool isAfterGap = false; ///< Nothing is known between it and the one before.

    bool operator==(const PlotPoint &) const = default;
};

/// Returns the points of a series. @param unit the divisor of its values.
std::vector<PlotPoint> plotPoints(const ValueSeries &series, double unit = 1);

/// Returns the points between the ends of an axis; where the curve crosses an end, one lies there.
std::vector<PlotPoint> pointsWithin(const std::vector<PlotPoint> &points, const PlotAxis &along);

/// Returns each point as the mean of itself and those before it, which count less and less.
/// @param weight 0 .. 1: of what was before; 0 changes nothing.
std::vector<PlotPoint> smoothed(std::vector<PlotPoint> points, double weight);

/// The part of a curve in one column of pixels, in rows of pixels and quarters of them.
struct PlotSpan {
    float top = 0;
    float bottom = -1;  ///< Less than `top` if empty.
    bool isOdd = false; ///< There were values that are no numbers.

    bool isEmpty() const { return bottom < top; }
    bool operator==(const PlotSpan &) const = default;
};

/// Returns the column of pixels, 0 .. width - 1, of a place along the plot.
int plotColumn(const PlotAxis &along, qint64 place, int width);
/// Returns the first place in a column.
qint64 plotPlace(const PlotAxis &along, int column, int width);

/// Returns a curve within `area`, one span per column: from the smallest to the largest value of its points,
/// extended to the next column with values, so that the curve is connected except at gaps.
/// @param points in their order along the plot.
std::vector<PlotSpan> plotSpans(const std::vector<PlotPoint> &points, const PlotAxis &along,
                                const PlotAxis &values, const QRect &area);

/// Stands for a missing row.
inline constexpr int noRow = std::numeric_limits<int>::min();

/// Returns rows of text moved apart so that none overlap, in order and no farther than needed. If not all fit
/// between `top` and `bottom`, those that would overlap are left out.
std::vector<int> spreadRows(std::vector<int> rows, int top, int bottom, int height);

/// The places of the parts of a plot: a row of curve names, a row of values at the cursor, and below them the
/// charts in one or more columns: each with its title above, its scale at the left, room for short curve
/// names at the right, and below the last of a column the scale along the plot.
class PlotGeometry
{
public:
    /// @param cell of a character. @param charts 1 or more. @param columns 1 or more; charts stand row by
    /// row.
    PlotGeometry(const QSize &size, const QSize &cell, int charts, int columns = 1);

    /// Returns the most columns with no chart too narrow.
    static int columnsFor(const QSize &size, const QSize &cell, int charts);
    /// Returns the most rows with no chart too low; at least 1.
    static int rowsFor(int height, const QSize &cell);
    /// Returns the height of so many rows, in pixels.
    static int heightFor(int rows, const QSize &cell);

    int charts() const { return m_charts; }
    QRect legend() const;
    QRect readout() const { return legend().translated(0, m_cell.height()); }
    /// Title of a chart, at its top.
    QRect title(int index) const;
    /// Area of the curves. Empty if there is no room.
    QRect chart(int index) const
    {
        return {left(index), title(index).bottom() + 1, m_chartWidth, m_chartHeight};
    }
    QRect scale(int index) const;
    QRect numbers(int index) const;
    /// The scale along the plot, below a chart; only some have one.
    QRect scaleBelow(int index) const;
    bool hasScaleBelow(int index) const { return index + m_columns >= m_charts; }
    /// Returns the chart that a place is in, or the nearest.
    int chartAt(const QPoint &place) const;
    /// Number of marks that fit on a chart's scale, and on the scale along.
    int valueMarks() const;
    int marksAlong() const;

private:
    int columnOf(int index) const { return index % m_columns; }
    int rowOf(int index) const { return index / m_columns; }
    int left(int index) const;

    QSize m_size;
    QSize m_cell;
    int m_charts;
    int m_columns;
    int m_chartWidth;
    int m_chartHeight;
};

} // namespace rankdeck

#pragma once

#include "chart/plotpoints.h"

#include <QRect>
#include <QSize>

namespace rankdeck
{

/// The part of a curve in one column of pixels, in rows of pixels and quarters of them.
struct PlotSpan {
    float top = 0;
    float bottom = -1;  ///< Less than `top` if empty.
    bool isOdd = false; ///< Some values were not numbers.

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
    /// Returns the height of this many rows, in pixels.
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

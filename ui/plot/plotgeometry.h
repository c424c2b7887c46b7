#pragma once

#include <QRect>
#include <QSize>

namespace rankdeck
{

/// Where the parts of a plot of several charts are: a row that names the curves, one for the values at the
/// cursor, and below them the charts, in one column or several side by side: each with its title above, its
/// scale at the left, room for short names of its curves at the right, and below the last one of a column a
/// scale of what is along.
class PlotGeometry
{
public:
    /// @param cell of a character. @param charts 1 or more. @param columns 1 or more; charts stand row by
    /// row.
    PlotGeometry(const QSize &size, const QSize &cell, int charts, int columns = 1);

    /// So many columns of charts that none is narrow.
    static int columnsFor(const QSize &size, const QSize &cell, int charts);
    /// So many rows of charts that none is low; 1 at least.
    static int rowsFor(int height, const QSize &cell);
    /// In pixels, for so many rows.
    static int heightFor(int rows, const QSize &cell);

    int charts() const { return m_charts; }
    QRect legend() const;
    QRect readout() const;
    /// What a chart shows, at its top.
    QRect title(int index) const;
    /// Within its frame. Empty where there is no room.
    QRect chart(int index) const;
    QRect scale(int index) const;
    QRect numbers(int index) const;
    /// The scale of what is along, below a chart; only some have one.
    QRect scaleBelow(int index) const;
    bool hasScaleBelow(int index) const { return index + m_columns >= m_charts; }
    /// The chart that a place is in, or the one beside or below it.
    int chartAt(const QPoint &place) const;
    /// Marks that a chart's scale has room for, and that of what is along.
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

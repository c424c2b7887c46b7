#include "plot/plotgeometry.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

constexpr int margin = 6; // pixels
constexpr int scaleCells = 9;
constexpr int numberCells = 5;
constexpr int cellsBetweenMarks = 14;
constexpr int rowsBetweenMarks = 3;
constexpr int leastColumnCells = 42;
constexpr int leastChartCells = 4; ///< High.

/// Of one row with its titles.
int leastRowHeight(const QSize &cell)
{
    return (leastChartCells + 1) * cell.height() + margin;
}

} // namespace

int PlotGeometry::columnsFor(const QSize &size, const QSize &cell, int charts)
{
    const int all = std::max(1, charts);
    const int most = std::clamp(size.width() / (leastColumnCells * cell.width()), 1, all);
    // As many rows as with those, and no more columns than these take.
    const int rows = (all + most - 1) / most;
    return (all + rows - 1) / rows;
}

int PlotGeometry::rowsFor(int height, const QSize &cell)
{
    return std::max(1, (height - heightFor(0, cell)) / leastRowHeight(cell));
}

int PlotGeometry::heightFor(int rows, const QSize &cell)
{
    // The legend, the readout and the scale below.
    return 3 * (margin + cell.height()) + rows * leastRowHeight(cell);
}

PlotGeometry::PlotGeometry(const QSize &size, const QSize &cell, int charts, int columns)
    : m_size(size)
    , m_cell(cell)
    , m_charts(std::max(1, charts))
    , m_columns(std::clamp(columns, 1, m_charts))
{
    const int rows = (m_charts + m_columns - 1) / m_columns;
    m_chartWidth =
        std::max(0, (size.width() - 2 * margin) / m_columns - (scaleCells + numberCells) * cell.width());
    // Each has a title above, and a little room below for the lowest mark.
    m_chartHeight = std::max(0, (size.height() - readout().bottom() - 1 - 2 * margin - cell.height()) / rows -
                                    cell.height() - margin);
}

QRect PlotGeometry::legend() const
{
    return {margin, margin, m_size.width() - 2 * margin, m_cell.height()};
}

QRect PlotGeometry::readout() const
{
    return legend().translated(0, m_cell.height());
}

int PlotGeometry::left(int index) const
{
    return margin + columnOf(index) * ((m_size.width() - 2 * margin) / m_columns) +
           scaleCells * m_cell.width();
}

QRect PlotGeometry::title(int index) const
{
    const int top = readout().bottom() + 1 + rowOf(index) * (m_chartHeight + m_cell.height() + margin);
    return {left(index), top, m_chartWidth, m_cell.height()};
}

QRect PlotGeometry::chart(int index) const
{
    return {left(index), title(index).bottom() + 1, m_chartWidth, m_chartHeight};
}

QRect PlotGeometry::scaleBelow(int index) const
{
    return {left(index), chart(index).bottom() + 1 + margin, m_chartWidth, m_cell.height()};
}

QRect PlotGeometry::scale(int index) const
{
    const QRect area = chart(index);
    const int width = (scaleCells - 1) * m_cell.width();
    return {area.left() - m_cell.width() - width, area.top(), width, area.height()};
}

QRect PlotGeometry::numbers(int index) const
{
    const QRect area = chart(index);
    return {area.right() + 1 + margin, area.top(), numberCells * m_cell.width() - margin, area.height()};
}

int PlotGeometry::chartAt(const QPoint &place) const
{
    int nearest = 0;
    for (int index = 1; index < m_charts; ++index) {
        if (title(index).top() <= place.y() && scale(index).left() <= place.x())
            nearest = index;
    }
    return nearest;
}

int PlotGeometry::valueMarks() const
{
    // Three leave less of a chart empty than two, as soon as they have room.
    const int least = m_chartHeight >= (rowsBetweenMarks + 1) * m_cell.height() ? 3 : 2;
    return std::max(least, m_chartHeight / (rowsBetweenMarks * m_cell.height()) + 1);
}

int PlotGeometry::marksAlong() const
{
    return std::max(2, m_chartWidth / (cellsBetweenMarks * m_cell.width()) + 1);
}

} // namespace rankdeck

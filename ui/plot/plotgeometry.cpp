#include "plot/plotgeometry.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rankdeck
{

constexpr float quarters = 4; ///< Parts of a pixel: finer is not visible.

static float rowOf(const PlotAxis &values, double value, const QRect &area)
{
    const double fraction = std::clamp(values.fraction(value), 0.0, 1.0);
    return float(area.bottom()) - std::round(float(fraction * (area.height() - 1)) * quarters) / quarters;
}

static std::vector<PlotPoint> columnsOf(const std::vector<PlotPoint> &points, const PlotAxis &along,
                                        int width)
{
    std::vector<PlotPoint> columns(std::size_t(std::max(width, 0)));
    for (const PlotPoint &point : points) {
        if (width <= 0 || (!point.hasValue && !point.isOdd))
            continue;
        PlotPoint &column = columns[std::size_t(plotColumn(along, point.from, width))];
        column.isOdd = column.isOdd || point.isOdd;
        if (!point.hasValue)
            continue;
        // A gap within a column is not visible.
        if (!column.hasValue)
            column.isAfterGap = point.isAfterGap;
        column.least = column.hasValue ? std::min(column.least, point.least) : point.least;
        column.most = column.hasValue ? std::max(column.most, point.most) : point.most;
        column.last = point.last;
        column.hasValue = true;
    }
    return columns;
}

constexpr int margin = 6; // pixels
constexpr int scaleCells = 9;
constexpr int numberCells = 5;
constexpr int cellsBetweenMarks = 14;
constexpr int rowsBetweenMarks = 3;
constexpr int leastColumnCells = 42;
constexpr int leastChartCells = 4; ///< High.

/// Returns the least height of a row with its titles.
static int leastRowHeight(const QSize &cell)
{
    return (leastChartCells + 1) * cell.height() + margin;
}

int plotColumn(const PlotAxis &along, qint64 place, int width)
{
    return std::clamp(int(along.fraction(double(place)) * width), 0, width - 1);
}

qint64 plotPlace(const PlotAxis &along, int column, int width)
{
    return qint64(std::ceil(along.least + (along.most - along.least) * column / width));
}

std::vector<PlotSpan> plotSpans(const std::vector<PlotPoint> &points, const PlotAxis &along,
                                const PlotAxis &values, const QRect &area)
{
    const std::vector<PlotPoint> columns = columnsOf(points, along, area.width());
    std::vector<PlotSpan> spans(columns.size());
    int before = -1;
    for (int x = 0; x < int(columns.size()); ++x) {
        const PlotPoint &column = columns[std::size_t(x)];
        PlotSpan &span = spans[std::size_t(x)];
        span.isOdd = column.isOdd;
        if (!column.hasValue)
            continue;
        span.top = rowOf(values, double(column.most), area);
        span.bottom = rowOf(values, double(column.least), area);
        if (before >= 0 && !column.isAfterGap) {
            const float from = rowOf(values, double(columns[std::size_t(before)].last), area);
            const float to = std::clamp(from, span.top, span.bottom);
            const int distance = x - before;
            // A straight line through the columns between; each span reaches the next.
            const auto rowAt = [&](int step) {
                return from + std::round((to - from) * float(step) / float(distance) * quarters) / quarters;
            };
            for (int step = 1; step < distance; ++step) {
                PlotSpan &between = spans[std::size_t(before) + std::size_t(step)];
                between.top = std::min(rowAt(step - 1), rowAt(step));
                between.bottom = std::max(rowAt(step - 1), rowAt(step));
            }
            span.top = std::min(span.top, rowAt(distance - 1));
            span.bottom = std::max(span.bottom, rowAt(distance - 1));
        }
        before = x;
    }
    return spans;
}

int PlotGeometry::columnsFor(const QSize &size, const QSize &cell, int charts)
{
    const int all = std::max(1, charts);
    const int most = std::clamp(size.width() / (leastColumnCells * cell.width()), 1, all);
    // As few columns as possible for that number of rows.
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

int PlotGeometry::marksAlong() const
{
    return std::max(2, m_chartWidth / (cellsBetweenMarks * m_cell.width()) + 1);
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
    // Three marks leave less of a chart empty than two.
    const int least = m_chartHeight >= (rowsBetweenMarks + 1) * m_cell.height() ? 3 : 2;
    return std::max(least, m_chartHeight / (rowsBetweenMarks * m_cell.height()) + 1);
}

} // namespace rankdeck

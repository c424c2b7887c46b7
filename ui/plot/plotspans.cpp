#include "plot/plotspans.h"

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

int rowOf(const PlotAxis &values, double value, const QRect &area)
{
    const double fraction = std::clamp(values.fraction(value), 0.0, 1.0);
    return area.bottom() - static_cast<int>(std::lround(fraction * (area.height() - 1)));
}

std::vector<PlotPoint> columnsOf(const std::vector<PlotPoint> &points, const PlotAxis &along, int width)
{
    std::vector<PlotPoint> columns(static_cast<std::size_t>(std::max(width, 0)));
    for (const PlotPoint &point : points) {
        if (width <= 0 || (!point.hasValue && !point.isOdd))
            continue;
        PlotPoint &column = columns[static_cast<std::size_t>(plotColumn(along, point.from, width))];
        column.isOdd = column.isOdd || point.isOdd;
        if (!point.hasValue)
            continue;
        // Of a gap within a column nothing is to be seen.
        if (!column.hasValue)
            column.isAfterGap = point.isAfterGap;
        column.least = column.hasValue ? std::min(column.least, point.least) : point.least;
        column.most = column.hasValue ? std::max(column.most, point.most) : point.most;
        column.last = point.last;
        column.hasValue = true;
    }
    return columns;
}

} // namespace

int plotColumn(const PlotAxis &along, qint64 place, int width)
{
    return std::clamp(static_cast<int>(along.fraction(static_cast<double>(place)) * width), 0, width - 1);
}

qint64 plotPlace(const PlotAxis &along, int column, int width)
{
    return static_cast<qint64>(std::ceil(along.least + (along.most - along.least) * column / width));
}

std::vector<PlotSpan> plotSpans(const std::vector<PlotPoint> &points, const PlotAxis &along,
                                const PlotAxis &values, const QRect &area)
{
    const std::vector<PlotPoint> columns = columnsOf(points, along, area.width());
    std::vector<PlotSpan> spans(columns.size());
    int before = -1;
    for (int x = 0; x < static_cast<int>(columns.size()); ++x) {
        const PlotPoint &column = columns[static_cast<std::size_t>(x)];
        PlotSpan &span = spans[static_cast<std::size_t>(x)];
        span.isOdd = column.isOdd;
        if (!column.hasValue)
            continue;
        span.top = rowOf(values, double(column.most), area);
        span.bottom = rowOf(values, double(column.least), area);
        if (before >= 0 && !column.isAfterGap) {
            const int from = rowOf(values, double(columns[static_cast<std::size_t>(before)].last), area);
            const int to = std::clamp(from, span.top, span.bottom);
            const int distance = x - before;
            // A straight line through the columns between; each reaches up to the next.
            const auto rowAt = [&](int step) {
                return from + static_cast<int>(std::lround(double(to - from) * step / distance));
            };
            for (int step = 1; step < distance; ++step) {
                PlotSpan &between = spans[static_cast<std::size_t>(before) + static_cast<std::size_t>(step)];
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

} // namespace rankdeck

#include "progressplot/plotspans.h"

#include <algorithm>
#include <cmath>

namespace rankdeck
{

namespace
{

struct Column {
    float least = 0;
    float most = 0;
    float last = 0;
    bool hasValue = false;
    bool isOdd = false;
};

int rowOf(const PlotAxis &values, double value, const QRect &area)
{
    const double fraction = std::clamp(values.fraction(value), 0.0, 1.0);
    return area.bottom() - static_cast<int>(std::lround(fraction * (area.height() - 1)));
}

std::vector<Column> columnsOf(const ProgressSeries &series, const PlotAxis &steps, int width)
{
    std::vector<Column> columns(static_cast<std::size_t>(std::max(width, 0)));
    for (int at = 0; at < series.size() && width > 0; ++at) {
        const ProgressSeries::Bucket &bucket = series.at(at);
        if (bucket.isEmpty())
            continue;
        Column &column = columns[static_cast<std::size_t>(plotColumn(steps, series.stepOf(at), width))];
        column.isOdd = column.isOdd || bucket.odd > 0;
        if (bucket.count == 0)
            continue;
        column.least = column.hasValue ? std::min(column.least, bucket.least) : bucket.least;
        column.most = column.hasValue ? std::max(column.most, bucket.most) : bucket.most;
        column.last = bucket.last;
        column.hasValue = true;
    }
    return columns;
}

} // namespace

int plotColumn(const PlotAxis &steps, qint64 step, int width)
{
    return std::clamp(static_cast<int>(steps.fraction(static_cast<double>(step)) * width), 0, width - 1);
}

qint64 plotStep(const PlotAxis &steps, int column, int width)
{
    return static_cast<qint64>(std::ceil(steps.least + (steps.most - steps.least) * column / width));
}

std::vector<PlotSpan> plotSpans(const ProgressSeries &series, const PlotAxis &steps, const PlotAxis &values,
                                const QRect &area)
{
    const std::vector<Column> columns = columnsOf(series, steps, area.width());
    std::vector<PlotSpan> spans(columns.size());
    int before = -1;
    for (int x = 0; x < static_cast<int>(columns.size()); ++x) {
        const Column &column = columns[static_cast<std::size_t>(x)];
        PlotSpan &span = spans[static_cast<std::size_t>(x)];
        span.isOdd = column.isOdd;
        if (!column.hasValue)
            continue;
        span.top = rowOf(values, column.most, area);
        span.bottom = rowOf(values, column.least, area);
        if (before >= 0) {
            const int from = rowOf(values, columns[static_cast<std::size_t>(before)].last, area);
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

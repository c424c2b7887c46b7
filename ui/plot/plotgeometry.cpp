#include "plot/plotgeometry.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace rankdeck
{

constexpr float quarters = 4; ///< Of a pixel: finer is not visible.

static float rowOf(const PlotAxis &values, double value, const QRect &area)
{
    const double fraction = std::clamp(values.fraction(value), 0.0, 1.0);
    return float(area.bottom()) - std::round(float(fraction * (area.height() - 1)) * quarters) / quarters;
}

double PlotAxis::fraction(double value) const
{
    if (!isLog)
        return (value - least) / (most - least);
    return value > 0 ? std::log(value / least) / std::log(most / least) : -1;
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

/// Returns 1, 2 or 5 times a power of ten, at least `distance`.
static double roundUp(double distance)
{
    const double power = std::pow(10, std::floor(std::log10(distance)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        // Ignores rounding errors above a round number.
        if (factor * power >= distance * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

static PlotAxis spaced(double least, double most, double spacing)
{
    PlotAxis axis;
    const double first = std::floor(least / spacing + 1e-9);
    const double last = std::max(first + 1, std::ceil(most / spacing - 1e-9));
    axis.least = first * spacing;
    axis.most = last * spacing;
    const auto count = int(std::lround(last - first)) + 1;
    for (int mark = 0; mark < count; ++mark)
        axis.marks.append((first + mark) * spacing);
    return axis;
}

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;

constexpr std::array spacings{1 * second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
                              1 * minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
                              1 * hour,   2 * hour,   3 * hour,   6 * hour,    12 * hour,   1 * day,
                              2 * day,    5 * day,    10 * day,   20 * day,    50 * day,    100 * day,
                              200 * day,  500 * day,  1000 * day, 5000 * day,  20000 * day};

static PlotAxis axisOf(qint64 first, qint64 last, qint64 spacing, AxisEnd end)
{
    // Offset at the first time: a change to summer time moves no mark.
    const qint64 offset = QDateTime::fromMSecsSinceEpoch(first).offsetFromUtc() * second;
    const auto roundUp = [&](qint64 time, qint64 unit) {
        return (time + offset + unit - 1) / unit * unit - offset;
    };
    PlotAxis axis;
    axis.least = double(first);
    axis.most = double(end == AxisEnd::Exact ? last : roundUp(last, spacing / 2));
    for (qint64 mark = roundUp(first, spacing); double(mark) <= axis.most; mark += spacing)
        axis.marks << double(mark);
    return axis;
}

std::vector<PlotPoint> plotPoints(const ValueSeries &series, double unit)
{
    const auto divisor = static_cast<float>(unit);
    std::vector<PlotPoint> points;
    for (int at = 0; at < series.size(); ++at) {
        const ValueSeries::Bucket &bucket = series.at(at);
        if (!bucket.isEmpty())
            points.push_back({series.stepOf(at), series.stepOf(at + 1) - 1, bucket.least / divisor,
                              bucket.most / divisor, bucket.last / divisor, bucket.count > 0, bucket.odd > 0,
                              false});
    }
    return points;
}

std::vector<PlotPoint> pointsWithin(const std::vector<PlotPoint> &points, const PlotAxis &along)
{
    const auto first = qint64(std::ceil(along.least));
    const auto last = qint64(std::floor(along.most));
    const auto begin = std::ranges::lower_bound(points, first, {}, &PlotPoint::from);
    const auto end = std::ranges::upper_bound(begin, points.end(), last, {}, &PlotPoint::from);
    std::vector<PlotPoint> within;
    const auto addCrossing = [&](auto after, qint64 place) {
        if (after == points.begin() || after == points.end())
            return;
        const PlotPoint &one = *(after - 1);
        const PlotPoint &other = *after;
        if (!one.hasValue || !other.hasValue || other.isAfterGap || other.from == place)
            return;
        const float value =
            one.last + (other.last - one.last) * float(place - one.from) / float(other.from - one.from);
        within.push_back({place, place, value, value, value, true, false, false});
    };
    addCrossing(begin, first);
    within.insert(within.end(), begin, end);
    addCrossing(end, last);
    return within;
}

std::vector<PlotPoint> smoothed(std::vector<PlotPoint> points, double weight)
{
    double mean = 0;
    double known = 0; // Share of the mean that values have made.
    for (PlotPoint &point : points) {
        if (!point.hasValue)
            continue;
        mean = weight * mean + (1 - weight) * double(point.last);
        known = weight * known + (1 - weight);
        point.least = point.most = point.last = float(mean / known);
    }
    return points;
}

int plotColumn(const PlotAxis &along, qint64 place, int width)
{
    return std::clamp(int(along.fraction(static_cast<double>(place)) * width), 0, width - 1);
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

std::vector<int> spreadRows(std::vector<int> rows, int top, int bottom, int height)
{
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < rows.size(); ++at) {
        if (rows[at] != noRow)
            order.push_back(at);
    }
    std::ranges::stable_sort(order, {}, [&rows](std::size_t at) { return rows[at]; });
    const bool isRoom = int(order.size()) * height <= bottom - top;
    int free = top;
    for (const std::size_t at : order) {
        rows[at] = std::clamp(rows[at], top, std::max(top, bottom - height));
        if (rows[at] >= free || isRoom)
            rows[at] = std::max(rows[at], free);
        else
            rows[at] = noRow;
        free = rows[at] == noRow ? free : rows[at] + height;
    }
    if (!isRoom)
        return rows;
    int end = bottom;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
        rows[*at] = std::min(rows[*at], end - height);
        end = rows[*at];
    }
    return rows;
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

PlotAxis plotAxis(double least, double most, int marks)
{
    // Adds room around equal values, also where doubles are coarse.
    const double smallest = std::max(std::abs(least), std::abs(most)) * 1e-6;
    if (most - least <= smallest) {
        const double room = std::max({std::abs(least) * 0.1, smallest, 1e-9});
        least -= room;
        most += room;
    }
    return spaced(least, most, roundUp((most - least) / std::max(marks - 1, 1)));
}

PlotAxis logAxis(double least, double most, int marks)
{
    const auto first = int(std::floor(std::log10(least) + 1e-9));
    const int last = std::max(first + 1, int(std::ceil(std::log10(most) - 1e-9)));
    const int apart = std::max(1, (last - first) / std::max(marks - 1, 1));
    PlotAxis axis{std::pow(10, first), std::pow(10, last), {}, true};
    for (int power = first; power <= last; power += apart) {
        for (const double factor : {1.0, 2.0, 5.0}) {
            // Few powers leave room for marks between them.
            if (factor == 1 || (power < last && 3 * (last - first) < marks))
                axis.marks << factor * std::pow(10, power);
        }
    }
    return axis;
}

qint64 roomySteps(qint64 most)
{
    constexpr qint64 fewest = 10;
    constexpr int parts = 20; // Rounded up, each is at most twice as large.
    most = std::max(most, fewest);
    const auto part = std::max<qint64>(1, qint64(roundUp(double(most) / (2 * parts))));
    return (most + part - 1) / part * part;
}

PlotAxis stepAxis(qint64 first, qint64 last, int marks)
{
    PlotAxis axis{double(first), double(std::max(first + 1, last)), {}, false};
    const double spacing = std::max(1.0, roundUp((axis.most - axis.least) / std::max(marks - 1, 1)));
    for (auto mark = qint64(std::ceil(axis.least / spacing)); double(mark) * spacing <= axis.most; ++mark)
        axis.marks << double(mark) * spacing;
    return axis;
}

QString markText(const PlotAxis &axis, double mark)
{
    if (axis.isLog)
        return QString::number(mark, 'g', 6);
    const double spacing = axis.marks.size() > 1 ? axis.marks.at(1) - axis.marks.at(0) : 1;
    if (std::abs(mark) < spacing * 1e-6)
        return QStringLiteral("0");
    const QLocale locale(QLocale::English);
    const double largest = std::max(std::abs(axis.least), std::abs(axis.most));
    const int decimals = std::max(0, -int(std::floor(std::log10(spacing) + 1e-9)));
    if (largest >= 1e7 || decimals > 4) {
        const int digits = std::clamp(int(std::floor(std::log10(largest / spacing))) + 2, 1, 9);
        return QString::number(mark, 'g', digits);
    }
    return locale.toString(mark, 'f', decimals);
}

PlotAxis timeAxis(qint64 first, qint64 last, int marks, AxisEnd end)
{
    last = std::max(last, first + second);
    const qint64 wanted = (last - first) / std::max(marks - 1, 1);
    const auto *spacing = std::lower_bound(spacings.begin(), spacings.end() - 1, wanted);
    PlotAxis axis = axisOf(first, last, *spacing, end);
    while (axis.marks.size() < 2 && spacing != spacings.begin())
        axis = axisOf(first, last, *--spacing, end);
    return axis;
}

QString timeMarkText(const PlotAxis &axis, double mark)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(qint64(mark));
    const double spacing = axis.marks.size() > 1 ? axis.marks.at(1) - axis.marks.at(0) : 0;
    if (spacing < double(minute))
        return time.toString(QStringLiteral("HH:mm:ss"));
    const bool isLong = axis.most - axis.least > double(day);
    if (spacing < double(day))
        return time.toString(isLong ? QStringLiteral("MM-dd HH:mm") : QStringLiteral("HH:mm"));
    return time.toString(QStringLiteral("yyyy-MM-dd"));
}

} // namespace rankdeck

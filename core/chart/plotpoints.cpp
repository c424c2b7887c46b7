#include "chart/plotpoints.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck
{

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

PlotAxis valueAxis(const PlotChart &chart, const std::vector<std::vector<PlotPoint>> &curves, int marks)
{
    double least = chart.least.value_or(std::numeric_limits<double>::max());
    double most = chart.most.value_or(std::numeric_limits<double>::lowest());
    double leastPositive = std::numeric_limits<double>::max();
    bool isAny = false;
    for (const std::vector<PlotPoint> &curve : curves) {
        for (const PlotPoint &point : curve) {
            if (!point.hasValue)
                continue;
            isAny = true;
            least = std::min(least, double(point.least));
            most = std::max(most, double(point.most));
            for (const float value : {point.least, point.last, point.most}) {
                if (value > 0)
                    leastPositive = std::min(leastPositive, double(value));
            }
        }
    }
    if (chart.isLog && leastPositive <= most)
        return logAxis(leastPositive, most, marks);
    return isAny ? plotAxis(least, most, marks) : plotAxis(0, 1, 2);
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

double PlotAxis::fraction(double value) const
{
    if (!isLog)
        return (value - least) / (most - least);
    return value > 0 ? std::log(value / least) / std::log(most / least) : -1;
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
        return u"0"_s;
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
        return time.toString(u"HH:mm:ss"_s);
    const bool isLong = axis.most - axis.least > double(day);
    if (spacing < double(day))
        return time.toString(isLong ? u"MM-dd HH:mm"_s : u"HH:mm"_s);
    return time.toString(u"yyyy-MM-dd"_s);
}

} // namespace rankdeck

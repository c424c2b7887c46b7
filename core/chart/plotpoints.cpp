#include "chart/plotpoints.h"

#include <algorithm>
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

} // namespace rankdeck

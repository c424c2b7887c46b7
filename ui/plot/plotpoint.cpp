#include "plot/plotpoint.h"

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

} // namespace rankdeck

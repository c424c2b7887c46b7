#include "preflight/bandwidthcurves.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <functional>
#include <map>

namespace rankdeck
{

QList<BandwidthCurve> bandwidthCurves(const std::vector<CollectiveResult> &collectives)
{
    using Groups = std::map<QList<int>, double>;
    std::map<qsizetype, std::map<qint64, Groups>, std::greater<>> told;
    for (const CollectiveResult &result : collectives) {
        if (result.operation == QLatin1String("allreduce sum") && result.problem.isEmpty() &&
            result.bytes > 0 && result.bandwidthMBs() > 0)
            told[result.ranks.size()][result.bytes][result.ranks] = result.bandwidthMBs();
    }
    QList<BandwidthCurve> curves;
    for (const auto &[ranks, sizes] : told) {
        BandwidthCurve curve{static_cast<int>(ranks), {}};
        for (const auto &[bytes, groups] : sizes) {
            const auto slowest =
                std::min_element(groups.begin(), groups.end(), [](const auto &one, const auto &other) {
                    return one.second < other.second;
                });
            curve.points.append({bytes, slowest->second});
        }
        curves.append(curve);
    }
    return curves;
}

QList<qint64> sizesOf(const QList<BandwidthCurve> &curves)
{
    QList<qint64> sizes;
    for (const BandwidthCurve &curve : curves) {
        for (const BandwidthCurve::Point &point : curve.points)
            sizes.append(point.bytes);
    }
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

QString dataSizeText(qint64 bytes)
{
    constexpr qint64 step = 1024;
    constexpr std::array units{"B", "KiB", "MiB", "GiB"};
    std::size_t unit = 0;
    while (bytes > 0 && bytes % step == 0 && unit + 1 < units.size()) {
        bytes /= step;
        ++unit;
    }
    return QLocale(QLocale::English).toString(bytes) + QLatin1Char(' ') + QLatin1String(units[unit]);
}

} // namespace rankdeck

#pragma once

#include "collective/selftest.h"

#include <QList>
#include <QString>

namespace rankdeck
{

/// How quick an allreduce of so many ranks is, by size.
struct BandwidthCurve {
    struct Point {
        qint64 bytes = 0; ///< Of one rank's data.
        double mbs = 0; ///< 10^6 bytes/s, of the slowest group when several groups of that many ranks did it.
        bool operator==(const Point &) const = default;
    };

    int ranks = 0;       ///< That took part.
    QList<Point> points; ///< By size, ascending; each size once.
    bool operator==(const BandwidthCurve &) const = default;
};

/// Of all "allreduce sum" whose results were right, as each group told it last; most ranks first.
QList<BandwidthCurve> bandwidthCurves(const std::vector<CollectiveResult> &collectives);

/// All sizes of the curves, ascending.
QList<qint64> sizesOf(const QList<BandwidthCurve> &curves);

/// "4 B", "64 KiB", "16 MiB"; of what is no whole number of these the bytes: "1,500 B".
QString dataSizeText(qint64 bytes);

} // namespace rankdeck

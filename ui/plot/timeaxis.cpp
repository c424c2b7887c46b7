#include "plot/timeaxis.h"

#include <QDateTime>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck
{

namespace
{

constexpr qint64 second = 1000;
constexpr qint64 minute = 60 * second;
constexpr qint64 hour = 60 * minute;
constexpr qint64 day = 24 * hour;

constexpr std::array spacings{1 * second, 2 * second, 5 * second, 10 * second, 15 * second, 30 * second,
                              1 * minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute,
                              1 * hour,   2 * hour,   3 * hour,   6 * hour,    12 * hour,   1 * day,
                              2 * day,    5 * day,    10 * day,   20 * day,    50 * day,    100 * day,
                              200 * day,  500 * day,  1000 * day, 5000 * day,  20000 * day};

PlotAxis axisOf(qint64 first, qint64 last, qint64 spacing)
{
    // Of the first moment: clocks that are changed meanwhile move no mark.
    const qint64 offset = QDateTime::fromMSecsSinceEpoch(first).offsetFromUtc() * second;
    const auto roundUp = [&](qint64 time, qint64 unit) {
        return (time + offset + unit - 1) / unit * unit - offset;
    };
    PlotAxis axis;
    axis.least = double(first);
    axis.most = double(roundUp(last, spacing / 2));
    for (qint64 mark = roundUp(first, spacing); double(mark) <= axis.most; mark += spacing)
        axis.marks << double(mark);
    return axis;
}

} // namespace

PlotAxis timeAxis(qint64 first, qint64 last, int marks)
{
    last = std::max(last, first + second);
    const qint64 wanted = (last - first) / std::max(marks - 1, 1);
    const auto *spacing = std::lower_bound(spacings.begin(), spacings.end() - 1, wanted);
    PlotAxis axis = axisOf(first, last, *spacing);
    while (axis.marks.size() < 2 && spacing != spacings.begin())
        axis = axisOf(first, last, *--spacing);
    return axis;
}

QString timeMarkText(const PlotAxis &axis, double mark)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(mark));
    const double spacing = axis.marks.size() > 1 ? axis.marks.at(1) - axis.marks.at(0) : 0;
    if (spacing < double(minute))
        return time.toString(QStringLiteral("HH:mm:ss"));
    const bool isLong = axis.most - axis.least > double(day);
    if (spacing < double(day))
        return time.toString(isLong ? QStringLiteral("MM-dd HH:mm") : QStringLiteral("HH:mm"));
    return time.toString(QStringLiteral("yyyy-MM-dd"));
}

} // namespace rankdeck

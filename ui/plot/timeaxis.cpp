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

} // namespace

PlotAxis timeAxis(qint64 first, qint64 last, int marks)
{
    last = std::max(last, first + second);
    const qint64 wanted = (last - first) / std::max(marks - 1, 1);
    const auto *const found = std::lower_bound(spacings.begin(), spacings.end(), wanted);
    const qint64 spacing = found == spacings.end() ? spacings.back() : *found;
    // Of the first moment: clocks that are changed meanwhile move no mark.
    const qint64 offset = QDateTime::fromMSecsSinceEpoch(first).offsetFromUtc() * second;
    const auto roundDown = [&](qint64 time) {
        return (time + offset) / spacing * spacing - offset;
    };
    PlotAxis axis;
    const qint64 begin = roundDown(first);
    const qint64 end = roundDown(last + spacing - 1);
    axis.least = double(begin);
    axis.most = double(end);
    for (qint64 mark = begin; mark <= end; mark += spacing)
        axis.marks << double(mark);
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

#include "chart/plotaxis.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck
{

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

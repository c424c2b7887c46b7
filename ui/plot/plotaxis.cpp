#include "plot/plotaxis.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace rankdeck
{

namespace
{

/// 1, 2 or 5 times a power of ten, no less than `distance`.
double roundUp(double distance)
{
    const double power = std::pow(10, std::floor(std::log10(distance)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        // What is a hair above a round number was meant to be it.
        if (factor * power >= distance * (1 - 1e-9))
            return factor * power;
    }
    return 10 * power;
}

PlotAxis spaced(double least, double most, double spacing)
{
    PlotAxis axis;
    const double first = std::floor(least / spacing + 1e-9);
    const double last = std::max(first + 1, std::ceil(most / spacing - 1e-9));
    axis.least = first * spacing;
    axis.most = last * spacing;
    const auto count = static_cast<int>(std::lround(last - first)) + 1;
    for (int mark = 0; mark < count; ++mark)
        axis.marks.append((first + mark) * spacing);
    return axis;
}

} // namespace

PlotAxis plotAxis(double least, double most, int marks)
{
    // Room around what is all the same, also where doubles are coarse.
    const double smallest = std::max(std::abs(least), std::abs(most)) * 1e-6;
    if (most - least <= smallest) {
        const double margin = std::max({std::abs(least) * 0.1, smallest, 1e-9});
        least -= margin;
        most += margin;
    }
    return spaced(least, most, roundUp((most - least) / std::max(marks - 1, 1)));
}

PlotAxis stepAxis(qint64 most, int marks)
{
    const double end = roundUp(std::max(static_cast<double>(most), 10.0));
    return spaced(0, end, std::max(1.0, roundUp(end / std::max(marks - 1, 1))));
}

QString markText(const PlotAxis &axis, double mark)
{
    const double spacing = axis.marks.size() > 1 ? axis.marks.at(1) - axis.marks.at(0) : 1;
    if (std::abs(mark) < spacing * 1e-6)
        return QStringLiteral("0");
    const QLocale locale(QLocale::English);
    const double largest = std::max(std::abs(axis.least), std::abs(axis.most));
    const int decimals = std::max(0, -static_cast<int>(std::floor(std::log10(spacing) + 1e-9)));
    if (largest >= 1e7 || decimals > 4) {
        const int digits = std::clamp(static_cast<int>(std::floor(std::log10(largest / spacing))) + 2, 1, 9);
        return QString::number(mark, 'g', digits);
    }
    return locale.toString(mark, 'f', decimals);
}

} // namespace rankdeck

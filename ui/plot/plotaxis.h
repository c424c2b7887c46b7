#pragma once

#include <QList>
#include <QString>

namespace rankdeck
{

/// What an axis shows: from a round number to a round number, with marks at round numbers between.
struct PlotAxis {
    double least = 0;
    double most = 1;
    QList<double> marks; ///< Ascending; those at the ends included.

    /// 0 at `least`, 1 at `most`; beyond for what is beyond.
    double fraction(double value) const { return (value - least) / (most - least); }
    bool operator==(const PlotAxis &) const = default;
};

/// An axis that has room for these values, with about `marks` marks, 2 or more. Both are finite.
PlotAxis plotAxis(double least, double most, int marks);
/// The same from 0 for steps: whole numbers, and up to a number that steps seldom pass, so that what is drawn
/// moves seldom.
PlotAxis stepAxis(qint64 most, int marks);

/// What stands at a mark: no more digits than tell it from the next. "0.5", "1,200", "1e-07".
QString markText(const PlotAxis &axis, double mark);

} // namespace rankdeck

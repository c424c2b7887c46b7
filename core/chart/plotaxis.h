#pragma once

#include "base/tr.h"

#include <QList>

namespace rankdeck
{

/// The range of an axis, with marks at round numbers.
struct PlotAxis {
    double least = 0;
    double most = 1;
    QList<double> marks; ///< Ascending.
    bool isLog = false;  ///< Both ends are above 0.

    /// Returns 0 at `least`, 1 at `most`, and values outside of 0..1 beyond.
    double fraction(double value) const;
    bool operator==(const PlotAxis &) const = default;
};

/// Returns an axis that includes these values, with about `marks` marks, 2 or more. Both values are finite.
PlotAxis plotAxis(double least, double most, int marks);
/// Returns an axis that includes these values, which are above 0, between powers of ten.
PlotAxis logAxis(double least, double most, int marks);

/// Returns the step that an axis ends at: up to a tenth more than `most`, so that the plot rarely moves.
qint64 roomySteps(qint64 most);
/// Returns an axis for steps, from the first to the last.
PlotAxis stepAxis(qint64 first, qint64 last, int marks);

/// Returns the text of a mark, with just the digits that it needs: "0.5", "1,200", "1e-07".
QString markText(const PlotAxis &axis, double mark);

/// Whether an axis ends exactly at the given value, or a little behind it, so that the plot rarely moves.
enum class AxisEnd { Exact, Roomy };

/// Returns an axis of times, in ms since 1970, with about `marks` marks, 2 or more, at round local times.
PlotAxis timeAxis(qint64 first, qint64 last, int marks, AxisEnd end = AxisEnd::Roomy);

/// Returns the text of a mark: "14:22:30", "14:20", or with the day if marks are far apart.
QString timeMarkText(const PlotAxis &axis, double mark);

} // namespace rankdeck

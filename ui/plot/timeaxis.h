#pragma once

#include "plot/plotaxis.h"

#include <QString>

namespace rankdeck
{

/// An axis of times, in ms since 1970, that has room for these, with about `marks` marks, 2 or more, at round
/// times of the clock here. It reaches a little beyond the last, so that what is drawn moves seldom as time
/// goes on.
PlotAxis timeAxis(qint64 first, qint64 last, int marks);

/// What stands at a mark: "14:22:30", "14:20", or with its day where marks are far apart.
QString timeMarkText(const PlotAxis &axis, double mark);

} // namespace rankdeck

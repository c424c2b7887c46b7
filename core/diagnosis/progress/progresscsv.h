#pragma once

#include "diagnosis/progress/progresscurves.h"
#include "launch/launchplan.h"

#include <QByteArray>

namespace rankdeck
{

/// Curves as comma-separated values, a line for each of their buckets that has a value: rank, "loss" or
/// "step_time_ms", its first and its last step, the smallest, largest and last value of these, how many there
/// were, and how many more that were no numbers. Lines end with a newline; the first names the columns.
QByteArray progressCsv(const LaunchPlan &plan, const ProgressCurves &curves);

} // namespace rankdeck

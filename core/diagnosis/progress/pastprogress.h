#pragma once

#include "diagnosis/progress/progressreader.h"
#include "diagnosis/progress/rankprogress.h"
#include "run/record/growthmarks.h"
#include "run/record/runstate.h"

namespace rankdeck
{

/// Returns the progress of each process of a plan when its logs had these lengths, from the last lines before
/// that: 8 KiB of each log, up to 1 MiB where these tell little. So a jump to any time costs the same. What
/// only earlier lines tell is absent; steps that begin anew with each epoch are not added up.
/// @param lengths parallel to plan.processes. @param ms that time, ms since 1970.
/// @param growthFolder growthFolder() of the attempt, for when lines came; empty: nobody saw that.
std::vector<RankProgress> pastProgress(const LaunchPlan &plan, const ProgressReader &reader,
                                       const std::vector<LogLengths> &lengths, qint64 ms,
                                       const QString &growthFolder);

} // namespace rankdeck

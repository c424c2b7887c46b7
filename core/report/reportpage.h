#pragma once

#include "report/runcurves.h"

namespace rankdeck
{

struct RunState;

/// Returns the report on a run, or on logs of another launcher, as one HTML page without scripts or external
/// content: the launch, its result with the reason, its ranks, its curves and its events. Escapes all text,
/// masks nothing. Reads the last line of each log and the journal. Blocks.
/// @param shown the plan of the state as the page may show it.
QByteArray reportPage(const RunState &state, const LaunchPlan &shown, const Verdict &verdict,
                      const RunCurves &curves);

} // namespace rankdeck

#pragma once

#include "collective/selftest.h"
#include "preflight/ranknames.h"
#include "run/runstate.h"

namespace rankdeck
{

/// What the ranks of a run told of a self-test, with what became of those that can tell nothing any more: a
/// process that failed has failed.
SelfTestResults withFailures(SelfTestResults results, const RunState &state);

/// The nodes of a plan's ranks, where there are several.
RankNames rankNames(const LaunchPlan &plan);

} // namespace rankdeck

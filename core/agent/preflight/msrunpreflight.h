#pragma once

#include "launch/launchplan.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// What stands in the way of a plan of msrun on this machine, besides what preflight() checks for every
/// launcher: the script or the rank table is not there, or a live run writes the same logs. Nothing when all
/// is well, and for plans of other launchers.
/// @param ownRun the run directory that is already there for this plan; empty: none.
std::optional<Error> problemWithMsrunStart(const LaunchPlan &plan, const QString &ownRun);

} // namespace rankdeck

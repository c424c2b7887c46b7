#pragma once

#include "agent/preflight/preflightcheck.h"
#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"

#include <vector>

namespace rankdeck
{

/// What can be said of a launch without asking its nodes: the plan's notes, what is wrong with its rank
/// table, variables whose values are out of range or contradict each other, lists of visible devices. Reads
/// the rank table's file: not for the GUI thread.
/// @param facts what the plan was made of.
std::vector<PreflightCheck> planChecks(const LaunchSpec &spec, const LaunchPlan &plan,
                                       const HostFacts &facts);

/// "rank 3", "ranks 0-3,7", "8 ranks" where these would be too many to name, "all ranks" of a world.
QString ranksText(const QList<int> &ranks, int worldSize);

} // namespace rankdeck

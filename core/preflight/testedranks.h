#pragma once

#include "agent/preflight/preflightcheck.h"
#include "launch/launchplan.h"

#include <QList>
#include <QStringList>

#include <vector>

namespace rankdeck
{

/// Which ranks of a launch try each other, in their order.
struct TestedRanks {
    QList<int> ranks;
    QStringList nodes;                  ///< The node of each.
    std::vector<PreflightCheck> checks; ///< What is left out, and why.
};

/// More connect each with each in no useful time.
inline constexpr int mostSelfTestRanks = 128;

/// All that `plan` starts; where these are more than mostSelfTestRanks the first of each of its nodes, as far
/// as these are not.
TestedRanks testedRanks(const LaunchPlan &plan);

} // namespace rankdeck

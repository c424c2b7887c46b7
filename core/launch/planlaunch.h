#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

namespace rankdeck
{

/// Whether the launcher of `spec` cannot plan without a rank table. For the others planLaunch() ignores its
/// table.
bool needsRankTable(const LaunchSpec &spec);

/// The plan of a launch, a pure function: of this node's share as planNode(), or of all nodes' as
/// planAssumedNodes() where `facts` have a transport. Errors: those functions' own.
Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts);

} // namespace rankdeck

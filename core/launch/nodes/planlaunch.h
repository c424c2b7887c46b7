#pragma once

#include "base/result.h"
#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// Returns the plan of what the launcher of `spec` would start on one node; a pure function. Fails as the
/// launcher's own planning, or if there is no such launcher.
Result<LaunchPlan> planNode(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts);

/// Returns true if the launcher of `spec` needs a rank table to plan. For the others planLaunch() ignores its
/// table.
bool needsRankTable(const LaunchSpec &spec);

/// Returns the plan of a launch; a pure function. Plans by planNode() for this node, or by planAssumedNodes()
/// for all nodes if `facts` have a transport, and fails as they do.
Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts);

} // namespace rankdeck

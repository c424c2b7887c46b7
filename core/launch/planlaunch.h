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

/// The plan of whichever launcher `spec` names; a pure function like each launcher's own.
/// Errors: a launcher that this version does not have; the launcher's own.
Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts);

} // namespace rankdeck

#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

namespace rankdeck
{

/// The plan of whichever launcher `spec` names; a pure function like each launcher's own.
/// Errors: a launcher that this version does not have; the launcher's own.
Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts);

} // namespace rankdeck

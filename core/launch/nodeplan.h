#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

namespace rankdeck
{

/// What the launcher of `spec`, started on one node, starts there; a pure function like each launcher's own.
/// Errors: a launcher that this version does not have; the launcher's own.
Result<LaunchPlan> planNode(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts);

} // namespace rankdeck

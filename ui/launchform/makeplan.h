#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"

namespace rankdeck
{

/// The plan of whichever launcher `spec` names. Error: a launcher that this version does not have.
Result<LaunchPlan> makePlan(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts);

/// What is wrong with `spec` whatever the rank table says: no use in waiting for the table before it is
/// mended. Nothing when all that can be checked is well.
std::optional<Error> problemWithoutTable(const LaunchSpec &spec, const HostFacts &facts);

} // namespace rankdeck

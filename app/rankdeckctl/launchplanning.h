#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

#include <QString>

namespace rankdeck
{

/// The rank table of a launch, an absolute path; empty: it has none.
QString tablePathOf(const LaunchSpec &spec, const HostFacts &facts);

/// The plan of a launch. Waits so long for a rank table that is still being written, and says so.
Result<LaunchPlan> planOfLaunch(const LaunchSpec &spec, const HostFacts &facts, int waitSeconds);

} // namespace rankdeck

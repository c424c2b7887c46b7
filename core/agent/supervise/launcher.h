#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Returns the first error in `spec` that does not depend on the rank table, so that the user does not wait
/// for a table in vain; nothing if there is none.
std::optional<Error> problemWithoutTable(const LaunchSpec &spec, const HostFacts &facts);

/// Starts `plan`: preflight, reserve fresh log files, make the run directory, and start its supervisor
/// detached, in a session of its own. Returns the run directory as soon as the supervisor runs; the ranks
/// start after that. On failure nothing is started and nothing left behind. Blocks for some milliseconds;
/// needs no event loop. An adopted plan is only watched: without a preflight, and without touching a log.
/// @param isTied the run is to be stopped when this process exits before it.
Result<QString> startRun(const LaunchSpec &spec, LaunchPlan plan, bool isTied = false);

} // namespace rankdeck

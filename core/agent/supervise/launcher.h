#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// What is wrong with `spec` whatever the rank table says, so that nobody waits for a table in vain. Nothing
/// when all that can be checked without one is well.
std::optional<Error> problemWithoutTable(const LaunchSpec &spec, const HostFacts &facts);

/// Start `plan`: preflight, reserve fresh log files, make the run directory, and start its supervisor
/// detached, in a session of its own. Returns the run directory as soon as the supervisor runs; the ranks
/// start after that. Nothing is started and nothing left behind when it fails. Blocks for some milliseconds;
/// needs no event loop. A plan that was adopted is only watched: there is no preflight, and no log is
/// touched.
/// @param isTied the run is to be stopped when this process ends before it.
Result<QString> startRun(const LaunchSpec &spec, LaunchPlan plan, bool isTied = false);

} // namespace rankdeck

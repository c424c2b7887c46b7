#pragma once

#include "launch/launchplan.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// What stands in the way of a plan of launcher "processes" on this machine, besides what preflight() checks
/// for every launcher: rank 0 is started here, MASTER_ADDR is this machine, and MASTER_PORT is taken, on
/// whatever address, as torch's store listens on all of them. A MASTER_ADDR that is a name is looked up.
/// Nothing when all is well, and for plans of other launchers.
/// Source: torch.distributed.TCPStore and socket.cpp of c10d.
std::optional<Error> problemWithProcessesStart(const LaunchPlan &plan);

} // namespace rankdeck

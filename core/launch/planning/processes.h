#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Returns the plan of launcher "processes": `nproc` ranks of this node, each with the environment that
/// torchrun gives it. Needs no rank table. A stream that is redirected goes to <log dir>/<local
/// rank>/stdout.log or stderr.log, any other to the rank's log in the run directory, so that nothing is lost.
/// With restarts both are below a folder for each attempt, see attempt.h. Differences to torchrun:
/// TORCHELASTIC_USE_AGENT_STORE is False, as rank 0 makes the store itself; PYTHONUNBUFFERED=1 unless set,
/// where torchrun says python -u; TORCHELASTIC_RUN_ID is the launch's name. Source:
/// torch.distributed.elastic.multiprocessing.start_processes,
/// torch.distributed.elastic.agent.server.local_elastic_agent (1.13 and master).
/// Errors: local ranks that are missing or too many in args, envs, redirects or tee; values out of range.
Result<LaunchPlan> planProcesses(const LaunchSpec &spec, const HostFacts &facts);

/// The variable that tells a rank where torch's @record writes what went wrong.
inline constexpr char errorFileVariable[] = "TORCHELASTIC_ERROR_FILE";

} // namespace rankdeck

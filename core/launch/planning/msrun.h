#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Returns the first error in msrun's options that does not depend on the host: a value out of range or
/// malformed, or no script. planMsrun() checks what a dry run changes.
std::optional<Error> problemWithMsrunOptions(const LaunchSpec &spec);

/// Returns sentences about variables that an earlier launch may have left in the environment (MS_*,
/// RANK_TABLE_FILE): one for those that the plan replaces or removes, one for those that reach the processes.
QStringList leftoverNotes(const LaunchPlan &plan, const QProcessEnvironment &environment);

/// Returns the plan that msrun would carry out on this node: the scheduler when --master_addr is this
/// machine, then the local workers. Environment, ranks and log names are msrun's; MS_NODE_RANK and LOCAL_RANK
/// are added, and variables of an earlier launch that a process must not inherit are removed. A .py script is
/// run with python3. Source: MindSpore, mindspore/parallel/cluster/process_entity/_api.py (mid-2025 master).
/// @param facts its `routes` must hold --master_addr when that is a name; see lookUpMaster().
/// Errors: what problemWithMsrunOptions() says; more local workers than workers; a node rank, dry-run rank or
/// cpu that does not exist.
Result<LaunchPlan> planMsrun(const LaunchSpec &spec, const HostFacts &facts);

} // namespace rankdeck

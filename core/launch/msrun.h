#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

namespace rankdeck
{

/// The plan msrun would carry out on this node: the scheduler when --master_addr is this machine, then the
/// local workers. Environment, ranks and log names are msrun's; MS_NODE_RANK and LOCAL_RANK are added, and
/// variables of an earlier launch that a process must not inherit are removed. A .py script is run with
/// python3.
/// Source: MindSpore, mindspore/parallel/cluster/process_entity/_api.py (mid-2025 master).
/// @param facts its `routes` must hold --master_addr when that is a name; see lookUpMaster().
/// Errors: what problemWithMsrunOptions() says; more local workers than workers; a node rank, dry-run rank or
/// cpu that does not exist.
Result<LaunchPlan> planMsrun(const LaunchSpec &spec, const HostFacts &facts);

} // namespace rankdeck

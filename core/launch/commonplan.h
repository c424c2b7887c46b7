#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

namespace rankdeck
{

// What the options that every launcher has do to a plan: before the launcher makes it, and after.

/// `facts` and `spec` as a launcher is to see them: the environment without what --unset-env takes away, and
/// variables from files among the spec's own, which win over them.
struct LaunchGround {
    LaunchSpec spec;
    HostFacts facts;
};
LaunchGround layGround(const LaunchSpec &spec, const HostFacts &facts);

/// Give `plan`, made of `ground`, what is left of the common options: variables by rank and those taken away,
/// the conda environment, cpus (msrun has bound them itself), limits, wrappers, terminals. Errors: a rank
/// that the launch does not have, a conda environment that is not there or lacks the interpreter, cpus that
/// are not this process's, a wrong ASCEND_RT_VISIBLE_DEVICES.
Result<LaunchPlan> withCommonOptions(LaunchPlan plan, const LaunchGround &ground);

} // namespace rankdeck

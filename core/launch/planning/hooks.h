#pragma once

#include "base/result.h"
#include "launch/plan/processplan.h"

namespace rankdeck
{

struct LaunchPlan;
struct CommonOptions;

/// Returns a command for LaunchPlan::before or after; completeHooks() adds its place, log and environment.
ProcessPlan hook(const QStringList &argv);

/// Checks the commands of --before and --after.
std::optional<Error> problemWithHooks(const CommonOptions &options);

/// Adds the user's hooks after those that the launcher planned itself, and completes all of them: they run in
/// the first process's working directory, with the variables that all processes have in common, and write to
/// logs/before.log and logs/after.log in the run directory. The last step of a plan.
void completeHooks(LaunchPlan &plan, const CommonOptions &options);

} // namespace rankdeck

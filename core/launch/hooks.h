#pragma once

#include "launch/commonoptions.h"
#include "launch/launchplan.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// Set to "before" or "after" in every hook, and so in whatever a hook leaves running.
inline constexpr char hookVariable[] = "RANKDECK_HOOK";

/// A command for LaunchPlan::before or after; completeHooks() gives it its place, log and environment.
ProcessPlan hook(const QStringList &argv);

/// What cannot be a command in --before and --after.
std::optional<Error> problemWithHooks(const CommonOptions &options);

/// Add the user's hooks behind those that the launcher planned by itself, and complete all of them: they run
/// in the first process's working directory, with the variables that all processes have in common, and write
/// to logs/before.log and logs/after.log in the run directory. The last step of a plan.
void completeHooks(LaunchPlan &plan, const CommonOptions &options);

} // namespace rankdeck

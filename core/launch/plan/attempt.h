#pragma once

#include "launch/plan/launchplan.h"

namespace rankdeck
{

// A launch with restarts is planned once for all its attempts. They differ only in the attempt's number,
// which is attemptPlaceholder in the plan.

/// The number of an attempt: 0 for the first, one more for each restart.
inline constexpr char attemptPlaceholder[] = "{attempt}";

/// Returns the name of the folder for an attempt's files, "attempt_3", as torch names it; `attempt` may be
/// the placeholder.
QString attemptFolder(const QString &attempt);

/// Returns `plan` with the attempt's number filled in, also in its hooks. A plan without restarts is
/// unchanged.
LaunchPlan forAttempt(LaunchPlan plan, int attempt);

/// Returns a path of `plan` with the attempt's number filled in.
QString forAttempt(const LaunchPlan &plan, QString path, int attempt);

} // namespace rankdeck

#pragma once

#include "base/result.h"
#include "base/tr.h"

#include <optional>

namespace rankdeck
{

struct LaunchPlan;

/// Fails if this user's hard limits of open files or processes are too low for all processes of the plan.
std::optional<Error> problemWithLimits(const LaunchPlan &plan);

} // namespace rankdeck

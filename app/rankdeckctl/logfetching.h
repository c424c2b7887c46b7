#pragma once

#include "run/runstate.h"

#include <vector>

namespace rankdeck
{

/// Copies here what is missing of the logs of these processes, by index in the plan, where they lie on nodes
/// that share no folder with this one, and returns when they are there or cannot be had; then it says why on
/// standard error.
void fetchMissingLogs(const RunState &state, const std::vector<int> &processes);

} // namespace rankdeck

#pragma once

#include "launch/launchplan.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// Before a launch: warn of who holds its devices, with the command that ends what is ours, or end that.
/// @param stop end the runs of ours that hold devices or the port of `plan`, one after the other.
/// Error: one of them could not be ended.
std::optional<Error> settleHolders(const LaunchPlan &plan, bool stop);

} // namespace rankdeck

#pragma once

#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// Before a launch: warn of who holds its devices, with the command that ends what is ours, or end that.
/// Of a launch for named nodes the warnings are left to their preparation, which the journal tells of.
/// @param stop end the runs of ours that hold devices or the port of `plan`.
/// Error: one of them could not be ended.
std::optional<Error> settleHolders(const LaunchSpec &spec, const LaunchPlan &plan, bool stop);

} // namespace rankdeck

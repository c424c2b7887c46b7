#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

/// Most processes that a plan of msrun starts on one node.
inline constexpr int mostLocalWorkers = 4096;

/// The first option of msrun whose value is of no use whatever the host is: out of range, or not of its form;
/// or that there is no script. What a dry run changes is left to planMsrun().
std::optional<Error> problemWithMsrunOptions(const LaunchSpec &spec);

} // namespace rankdeck

#pragma once

#include <chrono>

namespace rankdeck
{

/// Whoever is below a process that was told to end comes to the subreaper when that has ended, and is told
/// then. Only below those that are still there after this long somebody has to look, which takes reading all
/// of /proc: milliseconds, on a large machine tens of them.
inline constexpr std::chrono::milliseconds lookDeeperAfter{50};

/// A process that SIGKILL has not ended by then hangs in the kernel, or may not be killed by this user.
inline constexpr std::chrono::milliseconds unkillableAfter{5000};

} // namespace rankdeck

#pragma once

#include <chrono>

namespace rankdeck
{

/// A process that SIGKILL has not ended by then hangs in the kernel, or may not be killed by this user.
inline constexpr std::chrono::milliseconds unkillableAfter{5000};

} // namespace rankdeck

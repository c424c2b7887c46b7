#pragma once

#include "base/tr.h"

#include <cstddef>
#include <functional>

namespace rankdeck
{

/// Runs `work` in this thread and in up to `others` more at the same time, and returns when all have. In
/// fewer, or in this one alone, where the machine makes no more threads (pids.max, ulimit -u).
void workTogether(std::size_t others, const std::function<void()> &work);

} // namespace rankdeck

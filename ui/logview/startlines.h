#pragma once

#include "background/remoteowner.h"
#include "log/mergedlines.h"

#include <functional>

namespace rankdeck
{

/// Starts to read lines of logs, in a thread of its own.
using StartLines = std::function<RemoteOwner<MergedLines>(const MergedSpec &)>;

} // namespace rankdeck

#pragma once

#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// Waits until the nodes of a detached launch have started its first process, or it has failed, which is
/// reported on standard error; no longer than the time-out of a silent node. Returns the exit code: 0 if the
/// launch goes on.
int awaitNodes(const QString &runDirectory, const LaunchSpec &spec);

} // namespace rankdeck

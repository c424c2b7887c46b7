#pragma once

#include "launch/launchplan.h"
#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// Above a process's log or terminal: "rank 3  device 3", "gdb at rank 3".
QString processTitle(const ProcessPlan &process);
/// Beside it: "running", "failed: exit code 1".
QString processStateWords(const RankState &rank);

} // namespace rankdeck

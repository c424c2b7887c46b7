#pragma once

#include "base/program.h"
#include "base/result.h"

namespace rankdeck
{

/// Finds the program rankdeckctl, which is the supervisor and agent of runs: $RANKDECK_CTL, else beside this
/// program, else where it was installed, else in PATH.
Result<QString> rankdeckctlPath();

/// Returns the folder of the data files: $RANKDECK_RESOURCES, else share/rankdeck beside the program's bin,
/// else the source tree that this build came from. Fails if none of them holds the demo.
Result<QString> resourcesDirectory();

} // namespace rankdeck

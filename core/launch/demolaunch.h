#pragma once

#include "launch/launchspec.h"
#include "result.h"

namespace rankdeck
{

/// Where the data files are: $RANKDECK_RESOURCES, else share/rankdeck beside the program's bin, else the
/// source tree that this build came from. Error: none of them holds the demo.
Result<QString> resourcesDirectory();

/// The built-in demo: eight ranks of resources/demo/train.py on the demo's rank table, logs in the run
/// directory.
Result<LaunchSpec> demoSpec();

} // namespace rankdeck

#pragma once

#include "launch/hostfacts.h"
#include "launch/launchspec.h"
#include "result.h"

namespace rankdeck
{

/// All that planning `spec` needs to know: HostFacts::gather(), the address of msrun's master, the files of
/// variables and the conda environments. Reads files and may wait for a name to be looked up: not for the GUI
/// thread. Errors: a host that is not found, a file that cannot be read or holds no variables, with its line.
Result<HostFacts> gatherLaunchFacts(const LaunchSpec &spec);

/// What the share of a node depends on, asked on that node: HostFacts::gather() and the conda environments
/// there. Reads files.
HostFacts gatherNodeFacts(const LaunchSpec &spec);

} // namespace rankdeck

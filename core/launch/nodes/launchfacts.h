#pragma once

#include "base/result.h"
#include "launch/host/hostfacts.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// Gathers all that planning `spec` needs: HostFacts::gather(), the address of msrun's master, the files of
/// variables and the conda environments. Reads files and may wait for a name to be looked up: not for the GUI
/// thread. Errors: a host that is not found, a file that cannot be read or holds no variables, with its line.
Result<HostFacts> gatherLaunchFacts(const LaunchSpec &spec);

/// Gathers what the share of this node depends on: HostFacts::gather() and the conda environments. Reads
/// files.
HostFacts gatherNodeFacts(const LaunchSpec &spec);

} // namespace rankdeck

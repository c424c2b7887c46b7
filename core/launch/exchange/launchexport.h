#pragma once

#include "base/tr.h"

namespace rankdeck
{

struct LaunchPlan;
struct LaunchSpec;

/// Returns the launch as a line for a shell: `rankdeckctl LAUNCHER …`, with all its options.
QString exportCommandLine(const LaunchSpec &spec);

/// The launch as a command line of the original launcher: msrun, torchrun or davincirun.
struct PeerCommandLine {
    QString line;
    QStringList notes; ///< Features that the other launcher lacks, one sentence each.
};
PeerCommandLine exportPeerCommandLine(const LaunchSpec &spec);

/// Returns a bash script that does what `launch` does on this node, without Rankdeck: directories, files,
/// variables, cpus, limits, logs, the first failure ends the rest. It has no journal, no search for stray
/// processes, no error.json and no restarts.
QString exportShellScript(const LaunchPlan &launch);

} // namespace rankdeck

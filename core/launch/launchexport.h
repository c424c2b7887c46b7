#pragma once

#include "launch/launchplan.h"
#include "launch/launchspec.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// The launch as a line for a shell: `rankdeckctl LAUNCHER …`, with all that the launch has.
QString exportCommandLine(const LaunchSpec &spec);

/// The launch as a line of the launcher that it is modelled on: msrun, torchrun or davincirun.
struct PeerCommandLine {
    QString line;
    QStringList notes; ///< What that launcher cannot do, one sentence each.
};
PeerCommandLine exportPeerCommandLine(const LaunchSpec &spec);

/// A bash script that does what `launch` does on this node, without Rankdeck: directories, files, variables,
/// cpus, limits, logs, the first failure ends the rest. What it does not have: a journal, stray hunting,
/// error.json, restarts.
QString exportShellScript(const LaunchPlan &launch);

} // namespace rankdeck

#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Returns the absolute path of a launch's rank table; empty if it has none.
QString tablePathOf(const LaunchSpec &spec, const HostFacts &facts);

/// Plans a launch. Waits up to `waitSeconds` for a rank table that is still being written, and says so.
Result<LaunchPlan> planOfLaunch(const LaunchSpec &spec, const HostFacts &facts, int waitSeconds);

/// Returns the help of `rankdeckctl LAUNCHER --help`.
QString launchHelp(const QString &launcher);

/// Reads a launch from the arguments after its launcher's name: the launcher's command line; for "processes"
/// also "SPEC.json" alone, a file of its options; for "run" a profile, or "--again" and a run.
/// @param switches further options without a value; those given are added to `found`.
Result<LaunchSpec> readLaunch(const QString &launcher, const QStringList &arguments,
                              const QStringList &switches, QStringList &found);

} // namespace rankdeck

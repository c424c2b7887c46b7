#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// Returns the absolute path of a launch's rank table; empty if it has none.
QString tablePathOf(const LaunchSpec &spec, const HostFacts &facts);

/// Plans a launch. Waits up to `waitSeconds` for a rank table that is missing or not completed, and reports
/// that.
/// @param signal set to the signal that ended the wait, 0 for none.
Result<LaunchPlan> planOfLaunch(const LaunchSpec &spec, const HostFacts &facts, int waitSeconds,
                                int *signal = nullptr);

/// Reads a launch from the arguments after its launcher's name: the launcher's command line; for "processes"
/// also "SPEC.json" alone, a file of its options; for "run" a profile, or "--again" and a run. With --help
/// among the options prints the launcher's help, with --version that, and returns nothing.
/// @param switches further options without a value; those given are added to `found`.
std::optional<Result<LaunchSpec>> readLaunch(const QString &launcher, const QStringList &arguments,
                                             const QStringList &switches, QStringList &found);

} // namespace rankdeck

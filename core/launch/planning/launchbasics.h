#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

// What every launcher's planning has in common.

/// Returns the name of this launch for the user: its name, else the script's, else the program's; as
/// asFileName().
/// @param spec its command is not empty.
QString launchName(const LaunchSpec &spec);

/// Returns `spec` with absolute paths, so that it means the same wherever it is launched again.
LaunchSpec withAbsolutePaths(LaunchSpec spec, const HostFacts &facts);

/// Returns `path` made absolute. A path in the run directory stays as it is.
QString absoluteLaunchPath(const QString &path, const HostFacts &facts);

/// Returns the absolute working directory of the launch's processes.
QString absoluteWorkDir(const LaunchSpec &spec, const HostFacts &facts);

/// Returns a plan of `launcher` without processes, with what every launcher takes from the spec as it is. The
/// job has the launch's name.
LaunchPlan planBeginning(const QString &launcher, const LaunchSpec &spec);

/// Returns the folder of the launch's logs: logs in the run directory, unless the user names another one.
QString absoluteLogDir(const LaunchSpec &spec, const HostFacts &facts);

/// Returns the words with the local rank in place of each ${local_rank} behind the first word.
QStringList withLocalRank(QStringList words, int localRank);

/// Returns the program that runs a Python script of the launch: "python" of the conda environment that the
/// launch is for, else the python of the environment that it is started in, else "python3".
QString scriptInterpreter(const LaunchSpec &spec, const HostFacts &facts);

/// Returns the first error in the command or in the value of an option that every launcher has.
std::optional<Error> problemWithBasics(const LaunchSpec &spec);

/// Returns the environment of the launch with the variables of `spec`.
QProcessEnvironment launchEnvironment(const LaunchSpec &spec, const HostFacts &facts);

/// Returns true if a variable of a process can have this name.
bool isVariableName(const QString &name);

/// Returns a command for LaunchPlan::before or after; completeHooks() adds its place, log and environment.
ProcessPlan hook(const QStringList &argv);

/// Checks the commands of --before and --after.
std::optional<Error> problemWithHooks(const CommonOptions &options);

/// Adds the user's hooks after those that the launcher planned itself, and completes all of them: they run in
/// the first process's working directory, with the variables that all processes have in common, and write to
/// logs/before.log and logs/after.log in the run directory. The last step of a plan.
void completeHooks(LaunchPlan &plan, const CommonOptions &options);

} // namespace rankdeck

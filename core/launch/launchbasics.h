#pragma once

#include "launch/hostfacts.h"
#include "launch/launchspec.h"
#include "result.h"

#include <optional>

namespace rankdeck
{

// What every launcher's planning has in common.

/// A name that is one component of a path, whatever it came from.
QString asFileName(QString name);

/// What the user would call this launch: its name, else the script's, else the program's; as asFileName().
/// @param spec its command is not empty.
QString launchName(const LaunchSpec &spec);

/// `spec` with the directories and files that it means by relative names, so that it means the same wherever
/// it is launched again.
LaunchSpec withAbsolutePaths(LaunchSpec spec, const HostFacts &facts);

/// `path` as the process that launches sees it. A path in the run directory stays as it is.
QString absoluteLaunchPath(const QString &path, const HostFacts &facts);

/// What is wrong with an option's value, if it is not `least` .. `most`; the largest int stands for no limit.
std::optional<Error> outOfRange(const char *option, int value, int least, int most);

/// The first thing wrong with the command or with the value of an option that every launcher has.
std::optional<Error> problemWithBasics(const LaunchSpec &spec);

/// The environment that the launch was started in, with the variables of `spec`.
QProcessEnvironment launchEnvironment(const LaunchSpec &spec, const HostFacts &facts);

/// A name that a process can have in its environment.
bool isVariableName(const QString &name);

} // namespace rankdeck

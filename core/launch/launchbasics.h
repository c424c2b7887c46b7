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

/// `path` as the process that launches sees it. A path in the run directory stays as it is.
QString absoluteLaunchPath(const QString &path, const HostFacts &facts);

/// The first thing wrong with the command, the grace or the extra variables.
std::optional<Error> problemWithBasics(const LaunchSpec &spec);

/// A name that a process can have in its environment.
bool isVariableName(const QString &name);

} // namespace rankdeck

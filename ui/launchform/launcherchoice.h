#pragma once

#include "launch/launchspec.h"

namespace rankdeck
{

/// What a launcher does, in one line.
QString launcherDescription(const QString &launcher);

/// A new spec of `launcher`; davincirun's where there is no such launcher.
LaunchSpec defaultsOf(const QString &launcher);

/// `next`, a spec of another launcher, with what `spec` says that both understand: the command, the
/// directories, the name, the environment and the common options. Where `spec` has its launcher's default,
/// `next` keeps its own.
LaunchSpec withSharedOptions(LaunchSpec next, const LaunchSpec &spec);

} // namespace rankdeck

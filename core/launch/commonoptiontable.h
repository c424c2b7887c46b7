#pragma once

#include "launch/launchoption.h"

namespace rankdeck
{

/// The options that every launcher takes beside its own, in the order of --help.
/// @param defaults the launcher's, for what --help says of them.
LaunchOptions commonOptions(const LaunchSpec &defaults);

/// A spec's `bindCore` as the option called `name`; the value is looked at with the others.
LaunchOption bindCoreOption(const QString &name);

} // namespace rankdeck

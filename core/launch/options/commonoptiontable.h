#pragma once

#include "launch/options/launchcommandline.h"

namespace rankdeck
{

/// Returns the options that every launcher takes beside its own, in the order of --help.
/// @param defaults the launcher's defaults, which --help mentions.
LaunchOptions commonOptions(const LaunchSpec &defaults);

/// Returns the option called `name` for a spec's `bindCore`; planning checks its value.
LaunchOption bindCoreOption(const QString &name);

} // namespace rankdeck

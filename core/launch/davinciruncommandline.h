#pragma once

#include "launch/launchcommandline.h"

namespace rankdeck
{

/// davincirun's command line. Source of the defaults: davincirunsdk 0.1.6.
LaunchCommandLine davincirunCommandLine();

} // namespace rankdeck

#pragma once

#include "launch/launchcommandline.h"

namespace rankdeck
{

/// A spec with msrun's defaults instead of davincirun's: its log directory is the current one.
LaunchSpec msrunDefaults();

/// msrun's command line. Its command is the task script and its arguments; values are looked at as
/// problemWithMsrunOptions() has it. Source: MindSpore, mindspore/parallel/cluster/run.py (mid-2025 master).
LaunchCommandLine msrunCommandLine();

} // namespace rankdeck

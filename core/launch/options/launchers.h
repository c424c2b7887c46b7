#pragma once

#include "launch/options/launchcommandline.h"

namespace rankdeck
{

/// davincirun's command line. Source of the defaults: davincirunsdk 0.1.6.
LaunchCommandLine davincirunCommandLine();

/// Returns a spec with msrun's defaults instead of davincirun's: its log directory is the current one.
LaunchSpec msrunDefaults();

/// msrun's command line. Its command is the task script and its arguments; values are checked by
/// problemWithMsrunOptions(). Source: MindSpore, mindspore/parallel/cluster/run.py (mid-2025 master).
LaunchCommandLine msrunCommandLine();

/// The command line of launcher "processes", which takes torchrun's names too (--nproc-per-node, -r, -t).
/// Without --redirects and --tee every stream goes to a file of its own and to the console; with one of them,
/// the other streams are as in torch: not redirected, not teed. Arguments and variables by local rank cannot
/// be given here: see processesSpecFromJson(). Source: torch.distributed.run (1.13 and master).
LaunchCommandLine processesCommandLine();

/// The command line of launcher "wrap": its command is another launcher, or a script that starts ranks.
LaunchCommandLine wrapCommandLine();

/// "davincirun", "msrun", "processes", "wrap".
QStringList launcherNames();

/// Returns the command line of the launcher called `name`. Fails if there is none.
Result<LaunchCommandLine> launcherCommandLine(const QString &name);

} // namespace rankdeck

#pragma once

#include "launch/launchcommandline.h"

namespace rankdeck
{

/// The command line of launcher "processes", which takes torchrun's spellings too (--nproc_per_node, -r, -t,
/// underscores). Without --redirects and --tee every stream goes to a file of its own and to the console;
/// with one of them, what is not named is as in torch: not redirected, not teed. Arguments and variables by
/// local rank have no form here: see processesSpecFromJson(). Source: torch.distributed.run (1.13 and
/// master).
LaunchCommandLine processesCommandLine();

/// torchrun's spellings of the names of `options`: underscores, -r, -t, --nproc_per_node.
QMap<QString, QString> torchrunsNames(const LaunchOptions &options);

} // namespace rankdeck

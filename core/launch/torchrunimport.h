#pragma once

#include "launch/launchimport.h"

namespace rankdeck
{

/// The launch of launcher "processes" that does what torchrun would do with `arguments`.
/// @param isOldLauncher `torch.distributed.launch`, which hands the local rank to the script as an argument.
/// Source: torch.distributed.run and .launch (1.13 and master). Errors: an option that torchrun does not have
/// or a value that it would refuse; no script.
Result<ImportedLaunch> importTorchrun(const QStringList &arguments, bool isOldLauncher);

} // namespace rankdeck

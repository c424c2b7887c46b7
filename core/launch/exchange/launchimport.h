#pragma once

#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// A launch taken over from a command line.
struct ImportedLaunch {
    LaunchSpec spec;
    QStringList notes; ///< Options that were left out or differ here, one sentence each.
};

/// Returns what a command line of msrun, torchrun (also `python -m torch.distributed.run` and `…launch`),
/// davincirun or rankdeckctl would launch. Variables before the command, as a shell takes them, become the
/// launch's; what only a shell can do after it (a redirection, a pipe, &) is left out and noted. Errors: none
/// of these launchers; an option of it that is wrong.
Result<ImportedLaunch> importCommandLine(const QString &line);
/// Does the same with words that are split already.
Result<ImportedLaunch> importCommandWords(const QStringList &commandLine);

} // namespace rankdeck

#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// A launch taken over from a command line.
struct ImportedLaunch {
    LaunchSpec spec;
    QStringList notes; ///< What was not taken over or means something else here, one sentence each.
};

/// What a command line of msrun, torchrun (also `python -m torch.distributed.run` and `…launch`), davincirun
/// or rankdeckctl would launch. Variables before the command, as a shell takes them, become the launch's;
/// what only a shell can do after it (a redirection, a pipe, &) is left out and noted. Errors: none of these
/// launchers; an option of it that is wrong.
Result<ImportedLaunch> importCommandLine(const QString &line);
/// The same from words that are split already.
Result<ImportedLaunch> importCommandWords(const QStringList &commandLine);

} // namespace rankdeck

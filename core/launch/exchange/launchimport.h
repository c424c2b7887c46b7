#pragma once

#include "launch/options/launchcommandline.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// A launch taken over from a command line.
struct ImportedLaunch {
    LaunchSpec spec;
    QStringList notes; ///< Options that were left out or differ here, one sentence each.
    /// The line is not understood, so it is wrapped: its own launcher starts the ranks. The notes say why.
    bool isWrapped = false;
};

/// Returns what a command line of msrun, torchrun (also `python -m torch.distributed.run`, `…launch` and
/// torch_npu_run), davincirun or rankdeckctl would launch, or a command of a package that runs one of them,
/// see launcherLineOfPackage(). A line is read as bash would read it, see readShellScript(), and nothing of
/// it runs. Variables before the command become the launch's; its redirections are left out and noted.
/// Programs that start the launcher are taken over: env as variables, taskset and numactl before each rank
/// (--wrap), `conda run` and `uv run` before the command; nohup and time are left out and noted. Everything
/// else is wrapped as it stands, as `bash -c LINE`: another launcher, a wrong option, a script that is not
/// read. Fails only for an empty line and for a quote that is not closed.
/// @param environment where torchrun's options are also looked for, see torchrunVariables(); those before
/// the command win.
Result<ImportedLaunch> importCommandLine(const QString &line, const QProcessEnvironment &environment = {});
/// Does the same with words that a shell has split already.
Result<ImportedLaunch> importCommandWords(const QStringList &commandLine,
                                          const QProcessEnvironment &environment = {});

} // namespace rankdeck

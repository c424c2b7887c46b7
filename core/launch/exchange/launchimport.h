#pragma once

#include "launch/options/launchcommandline.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// A launch taken over from a command line.
struct ImportedLaunch {
    LaunchSpec spec;
    QStringList notes; ///< Options that were left out or differ here, one sentence each.
    /// The line is not understood, so it is wrapped: its own launcher starts the ranks. The notes say which
    /// words are the reason.
    bool isWrapped = false;
};

/// Returns what a command line of msrun, torchrun (also `python -m torch.distributed.run`, `…launch` and
/// torch_npu_run), davincirun or rankdeckctl would launch, or a command of a package that runs one of them,
/// see launcherLineOfPackage(). A line is read as a shell would read it, see readShellScript(): variables
/// before the command become the launch's; its redirections and pipes are left out and noted. A line of
/// another launcher, one with options that are not known, and a script that is not read are wrapped as they
/// stand. Errors: a wrong value of an option, a missing script, a variable in place of one, a command that
/// starts no ranks here.
/// @param environment where torchrun's options are also looked for, see torchrunVariables(); those before
/// the command win.
Result<ImportedLaunch> importCommandLine(const QString &line, const QProcessEnvironment &environment = {});
/// Does the same with words that a shell has split already.
Result<ImportedLaunch> importCommandWords(const QStringList &commandLine,
                                          const QProcessEnvironment &environment = {});

} // namespace rankdeck

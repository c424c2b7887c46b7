#pragma once

#include "launch/exchange/launchimport.h"

namespace rankdeck
{

/// torchrun's options as its variables give them: PET_NNODES is --nnodes.
struct TorchrunVariables {
    QStringList words; ///< "--nnodes=2", "--standalone".
    QStringList names; ///< The variable of each word.

    /// Takes out an option without a value.
    void drop(const QString &word);
    /// Returns a sentence with the variables used; empty if there are none.
    QString note() const;
};

/// Returns what the PET_* variables of `environment` say; a switch is on with a number but 0. Variables that
/// are empty or no option of torchrun are passed over.
/// Source: torch.distributed.argparse_util.env and check_env.
TorchrunVariables torchrunVariables(const QProcessEnvironment &environment);

/// Options of Rankdeck that may stand beside torchrun's.
struct OwnOptions {
    LaunchOptions options;        ///< Every launcher's.
    QStringList switches;         ///< See LaunchCommandLine::parse().
    QStringList *found = nullptr; ///< The same.
};

/// Returns the launch of launcher "processes" that does what torchrun would do with `arguments`.
/// @param isOldLauncher `torch.distributed.launch`, which hands the local rank to the script as an argument.
/// @param variables torchrun's options by variable, which `arguments` win over.
/// @param ownNode the rank of this node, for a launch of several that a rendezvous would number; less than 0:
/// such a launch is refused.
/// Source: torch.distributed.run and .launch (1.13 and 2.9). Fails for an option that torchrun does not have
/// or a value that it would refuse, and if there is no script.
Result<ImportedLaunch> importTorchrun(const QStringList &arguments, bool isOldLauncher,
                                      const TorchrunVariables &variables, int ownNode,
                                      const OwnOptions &own = {});

/// The command line of `rankdeckctl torchrun`: torchrun's options and those of every launcher. For its help:
/// readTorchrunLaunch() reads it.
LaunchCommandLine torchrunCommandLine();

/// Reads the words after "torchrun", among them options of every launcher, as importCommandWords() does.
/// @param switches, found see LaunchCommandLine::parse().
Result<ImportedLaunch> readTorchrunLaunch(const QStringList &arguments,
                                          const QProcessEnvironment &environment,
                                          const QStringList &switches = {}, QStringList *found = nullptr);

/// Returns a launch of "processes" without a command, with the options that torchrun's variables choose. The
/// error names the variable.
Result<ImportedLaunch> processesFromVariables(const QProcessEnvironment &environment);

/// Returns the rank of this node in its step of Slurm.
/// @param otherwise outside of one.
int nodeInSlurm(const QProcessEnvironment &environment, int otherwise);

/// Returns the problem if a variable is where the script should be: it holds the options, and a shell would
/// have put them there.
std::optional<Error> problemWithScript(const QStringList &command);

} // namespace rankdeck

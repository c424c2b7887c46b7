#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QStringList>

namespace rankdeck
{

/// `processes`' part of a command line: options, then the command, after "--" or where the first argument is
/// no option. An option may be written with '_' for '-', and --nproc as torchrun's --nproc-per-node.
/// Without --redirects and --tee every stream goes to a file of its own and to the console; with one of them,
/// what is not named is as in torch: not redirected, not teed.
/// @param frontEndSwitches options without a value that are not the launcher's own; those given are added to
/// `found`. Error: an unknown option, one without its value, a value of the wrong kind.
Result<LaunchSpec> parseProcessesArguments(const QStringList &arguments,
                                           const QStringList &frontEndSwitches = {},
                                           QStringList *found = nullptr);

/// The options, one a line, for --help.
QString processesOptionsHelp();

/// The spec as the command line that parseProcessesArguments() reads, "processes" and its program not
/// included. Arguments and variables by local rank have no such form and are left out: see
/// processesSpecFromJson().
QStringList processesArguments(const LaunchSpec &spec);

} // namespace rankdeck

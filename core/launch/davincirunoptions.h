#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QStringList>

namespace rankdeck
{

/// `davincirun`'s part of a command line: options, then the command, which keeps its own options.
/// Source of the defaults: davincirunsdk 0.1.6.
/// @param frontEndSwitches options without a value that are not the launcher's own; those given are added to
/// `found`. Error: an unknown option, one without its value, or a value that is not a number where one is
/// needed.
Result<LaunchSpec> parseDavincirunArguments(const QStringList &arguments,
                                            const QStringList &frontEndSwitches = {},
                                            QStringList *found = nullptr);

/// The options, one a line, for --help.
QString davincirunOptionsHelp();

/// The spec as the command line that parseDavincirunArguments() reads, "davincirun" and its program not
/// included.
QStringList davincirunArguments(const LaunchSpec &spec);

} // namespace rankdeck

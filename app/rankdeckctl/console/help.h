#pragma once

#include "rankdeckctl/console/command.h"

namespace rankdeck
{

/// Returns the help of rankdeckctl: all commands, or those of a family such as "ranktable". No line is longer
/// than 80 columns.
QString helpOfCommands(const QString &family = {});
/// Returns a command's help: usage, options by group, exit codes, examples.
QString helpOf(const Command &command);

} // namespace rankdeck

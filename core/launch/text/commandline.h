#pragma once

#include "result.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// A command as one editable line. Words are grouped as in a POSIX shell (Shell Command Language, 2.2
/// Quoting), so that a line copied from a terminal means the same: 'single' and "double" quotes, and \ before
/// one character. Nothing is expanded: $HOME, ~, * and | are passed on as they are. Error: a quote that is
/// not closed, or a \ at the end.
Result<QStringList> splitCommandLine(const QString &line);

/// The line that splitCommandLine() makes `words` of.
QString joinCommandLine(const QStringList &words);

/// Whether `line` holds what a shell would act on and a launch does not: variables, pipes, redirections,
/// wildcards. Text in single quotes does not count.
bool asksForShell(const QString &line);

} // namespace rankdeck

#pragma once

#include "base/result.h"

namespace rankdeck
{

/// A command as one editable line. Words are grouped as in a POSIX shell (Shell Command Language, 2.2
/// Quoting), so that a line copied from a terminal means the same: 'single' and "double" quotes, and \ before
/// one character. Nothing is expanded: $HOME, ~, * and | are passed on as they are. Error: a quote that is
/// not closed, or a \ at the end.
Result<QStringList> splitCommandLine(const QString &line);

/// Returns a line that splitCommandLine() splits into `words`.
QString joinCommandLine(const QStringList &words);

/// Returns the text in single quotes: one word of a POSIX shell's command line.
QString shellWord(QString text);

/// Returns the names in a text that has one blank between each two of them.
QStringList namesIn(const char *names);

/// Returns true if `line` has something that only a shell understands: variables, pipes, redirections,
/// wildcards. Text in single quotes does not count.
bool asksForShell(const QString &line);

} // namespace rankdeck

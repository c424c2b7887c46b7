#pragma once

#include "base/tr.h"

#include <QProcessEnvironment>

namespace rankdeck
{

struct ProcessPlan;

// The files that a process of this user has open, from /proc/PID/fd.

/// Returns the regular file that a descriptor of a process is; empty if it is something else, or is gone.
QString openFile(pid_t pid, int descriptor);

/// Returns the file that the reader of a pipe writes what it reads to, as `tee` does. Empty if the descriptor
/// is not a pipe, or its reader writes no file or several. Reads all of /proc.
QString fileBehindPipe(pid_t pid, int descriptor);

/// Returns the file that a rank writes as its own log, beside its standard output and error: a *.log, *.out
/// or
/// *.txt that it has open for writing, in its work directory or in a folder whose name speaks of logs or
/// output, or below one. Of several it is the one whose name has the number of the rank, else the one that
/// was written last. Empty if there is none. CANN's own logs do not count.
/// @param environment of the rank.
QString heldLog(pid_t pid, const ProcessPlan &rank, const QProcessEnvironment &environment);

/// Returns true if two paths lead to the same file.
bool isSameFile(const QString &one, const QString &other);

} // namespace rankdeck

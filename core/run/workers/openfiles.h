#pragma once

#include "base/tr.h"

#include <QProcessEnvironment>

namespace rankdeck
{

struct ProcessPlan;

// The files that a process of this user has open, from /proc/PID/fd.

/// Returns the regular file that a descriptor of a process is; empty if it is something else, or is gone.
QString openFile(pid_t pid, int descriptor);

/// Returns the file into which the reader of a pipe copies its input, as `tee` does. Empty if the descriptor
/// is not a pipe, or if its reader writes no file or several. Reads all of /proc.
QString fileBehindPipe(pid_t pid, int descriptor);

/// Returns the file that a rank writes as its own log, beside its standard output and error: a *.log, *.out
/// or *.txt that it has open for writing, in its work directory or in a folder with a name for logs or
/// output, or below one. Of several files: the one with the rank's number in its name, else the one that was
/// written last. Empty if there is none. CANN's own logs do not count.
/// @param environment of the rank.
QString heldLog(pid_t pid, const ProcessPlan &rank, const QProcessEnvironment &environment);

} // namespace rankdeck

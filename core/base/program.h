#pragma once

#include "base/tr.h"

#include <QProcessEnvironment>
#include <QString>

namespace rankdeck
{

/// Call it first in main(). If the launcher of an unpacked package started this program through a loader of
/// its own, undoes the traces: the changed names and values in the environment, the name of the process and
/// its command line. Does nothing otherwise. `argv` is main()'s.
void leaveLauncher(char **argv);

/// Returns the path by which this program can be started again, links resolved; of a package its launcher's.
/// Unlike QCoreApplication's, known before an application exists, and right under a loader.
QString programPath();
/// Returns the folder of programPath().
QString programDirectory();
/// Returns the folder of the unpacked package that this program was started from; empty if it needs none.
QString packageDirectory();

/// Returns the environment without the ranks' libraries: those of CANN and Python break ssh and Slurm.
QProcessEnvironment
withoutLibraries(QProcessEnvironment environment = QProcessEnvironment::systemEnvironment());

} // namespace rankdeck

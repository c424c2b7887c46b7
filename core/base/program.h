#pragma once

#include "base/result.h"

#include <QProcess>
#include <QString>

namespace rankdeck
{

/// Call it first in main(). If the launcher of an unpacked package started this program through a loader of
/// its own, undoes the traces: the changed names and values in the environment, the name of the process and
/// its command line. Otherwise only gives variables that were held back their names. `argv` is main()'s.
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
/// Returns the environment without LD_PRELOAD: what such a library prints is not a tool's answer.
QProcessEnvironment
withoutPreload(QProcessEnvironment environment = QProcessEnvironment::systemEnvironment());

/// Returns the path of `name`, a program of the system such as ssh: in PATH, else where systems have it, so
/// that it is found with an empty PATH too. A name with a '/' is returned as it is. If there is none, returns
/// a path that does not exist: Qt would start a file of that name in the working directory.
QString systemTool(const QString &name);

/// Finds the program rankdeckctl, which is the supervisor and agent of runs: $RANKDECK_CTL, else beside this
/// program, else where it was installed, else in PATH.
Result<QString> rankdeckctlPath();

/// Returns the folder of the data files: $RANKDECK_RESOURCES, else share/rankdeck beside the program's bin,
/// else the source tree that this build came from. Fails if none of them holds the demo.
Result<QString> resourcesDirectory();

/// Calls `handle()` if `process` fails to start: finished() does not come then. With `way` queued, it is
/// called from the event loop even where starting fails at once.
template <typename Handle>
void onFailedStart(const QProcess &process, const QObject *context, const Handle &handle,
                   Qt::ConnectionType way = Qt::AutoConnection)
{
    const auto take = [handle](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            handle();
    };
    QObject::connect(&process, &QProcess::errorOccurred, context, take, way);
}

} // namespace rankdeck

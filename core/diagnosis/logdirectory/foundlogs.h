#pragma once

#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Finds the logs of a launch at `path`, a directory or one log, and plans an empty launch around them: its
/// processes have a role, a rank, a device if the name has one, their files and, from torchrun,
/// TORCHELASTIC_ERROR_FILE; nothing else. Scheduler first, then by rank. The plan's notes list the files left
/// out. Follows no symbolic link in the directory, and writes nothing there.
///
/// davincirun: <job>-proc-rank-<rank>-device-<device>.txt; of several jobs the one written last.
/// msrun: scheduler.log and <name>_<rank>.log; without a scheduler only worker_<rank>.log.
/// torchrun, start_processes and processes: <local rank>/stdout.log, stderr.log and error.json, or
/// rank-<rank>.log, in the directory, in one of its attempt_<n> (the first that
/// failed if the last one failed too, else the last), or in that of the folder at any
/// depth below that was written last, as torchrun makes one for each launch. Their ranks are local ranks: the
/// names say no more.
/// With several launchers, the one that wrote last. Else the logs from numberedLogs(); else the log that was
/// written last, as a Console, with a worker for each rank in it.
///
/// Fails if there is no such file or directory, if it cannot be read, or if no file in it is a log.
Result<LaunchPlan> findLogs(const QString &path);

} // namespace rankdeck

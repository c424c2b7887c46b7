#pragma once

#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Finds the logs of a launch at `path`, a directory or one log, and plans a launch of nothing around them:
/// its processes have a role, a rank, a device where the name has one, their files and, from torchrun,
/// TORCHELASTIC_ERROR_FILE; nothing else. Scheduler first, then by rank. The plan's notes say what was left
/// aside. No symbolic link in the directory is followed, and nothing is written there.
///
/// davincirun: <job>-proc-rank-<rank>-device-<device>.txt; of several jobs the one written last.
/// msrun: scheduler.log and <name>_<rank>.log; without a scheduler only worker_<rank>.log.
/// torchrun, start_processes and processes: <local rank>/stdout.log, stderr.log and error.json, or
/// rank-<rank>.log, in the directory, in its attempt_<n> with the highest n, or in that of the folder at any
/// depth below that was written last, as torchrun makes one for each launch. Their ranks are local ranks: the
/// names say no more.
/// Of several launchers the one that wrote last. Else what numberedLogs() finds; else the log that was
/// written last, as a Console, with a worker for each rank that it speaks of.
///
/// Error: there is no such file or directory, it cannot be read, or no file there is a log.
Result<LaunchPlan> findLogs(const QString &path);

} // namespace rankdeck

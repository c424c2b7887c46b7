#pragma once

#include "base/tr.h"

#include <vector>

namespace rankdeck
{

struct RunState;

/// A file in which CANN logged what one process did.
struct Plog {
    QString path;
    qint64 pid = 0;
};

/// Returns the plogs below `directory`, in any layout (`debug/plog`, `run/plog`, `plog`, a folder for each
/// rank): by their names alone, at most 4,096, six folders deep; follows no symbolic link. Sorted by path.
/// Source: CANN log reference, plog-<pid>_<time>.log.
std::vector<Plog> findPlogs(const QString &directory);

/// Where the processes of a run on this machine may have left plogs: ASCEND_PROCESS_LOG_PATH of each, else
/// ASCEND_WORK_PATH/log, else $HOME/ascend/log; of a log directory that directory itself. Each once.
QStringList plogDirectories(const RunState &state);

/// Returns the plogs of the run's processes in its plogDirectories(), without those of earlier processes with
/// the same pids; for a log directory, all plogs. Sorted by directory and path.
std::vector<Plog> plogsOf(const RunState &state);

} // namespace rankdeck

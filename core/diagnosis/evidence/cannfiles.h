#pragma once

#include "base/sentence.h"

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

struct RunState;
struct LaunchPlan;

/// A file that CANN's tracer has written about a process.
struct CannTrace {
    enum class Kind {
        Crash,    ///< "stackcore": its stacks after a signal.
        Schedule, ///< "schedule": what HCCL and the runtime were doing, e.g. after a wait timed out.
        Exit,     ///< "exit"
    };

    Kind kind = Kind::Exit;
    int process = -1; ///< By index in the plan.
    QString path;
};

/// Returns the traces of a run's processes on this machine that were written since it began, at most 512,
/// sorted by path: below ASCEND_WORK_PATH/atrace of each process, else below $HOME/ascend/atrace. None of a
/// log directory. Reads directories. Source: CANN, log reference:
/// trace_…/{schedule,stackcore,exit}_event_<pid>_…/.
std::vector<CannTrace> cannTracesOf(const RunState &state);

/// Returns a sentence for each of the first traces that report a crash or a time-out.
QList<Sentence> cannTraceNotes(const std::vector<CannTrace> &traces, const LaunchPlan &plan);

} // namespace rankdeck

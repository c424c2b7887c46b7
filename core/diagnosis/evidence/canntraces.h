#pragma once

#include "base/sentence.h"

#include <vector>

namespace rankdeck
{

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

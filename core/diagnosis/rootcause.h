#pragma once

#include "run/runstate.h"

#include <optional>

namespace rankdeck
{

/// Which process of a failed run failed first by what the ranks themselves wrote (see readErrorFile()): the
/// one with the earliest time, as in torch. A process that failed without a file counts with the time at
/// which its end was seen; one that ended while the others were torn down counts only with a file. Reads
/// those files. Nothing when the plan has no such files, or no process failed.
/// Source: torch.distributed.elastic.multiprocessing.errors.ChildFailedError, ProcessFailure.
std::optional<Failure> rootCause(const RunState &state);

/// Message and traceback of the process's error file, if its launch has such files and it wrote one.
void addErrorFile(Failure &failure, const ProcessPlan &process);

} // namespace rankdeck

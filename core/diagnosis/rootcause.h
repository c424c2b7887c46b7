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

/// What is known of `first`, the failure that was seen first, once all processes have ended: the root cause
/// where the ranks wrote of it, since one that failed earlier may have taken longer to end; and the workers
/// that a scheduler misses. Reads what they wrote.
Failure settledFailure(const RunState &state, const Failure &first);

/// What is known of a failure as soon as it is seen: `event`, a ProcessExited or ProcessNotStarted with a
/// status, is in `state` already. Reads the end of the process's log, and its error file where it has one.
Failure failureAt(const RunState &state, const RunEvent &event);

} // namespace rankdeck

#pragma once

#include "run/record/failure.h"

namespace rankdeck
{

struct RunState;
struct LaunchPlan;

/// Returns the process that failed first by the error files of the ranks (see readErrorFile()): the one with
/// the earliest time, as in torch. A process without a file counts with the time at which its exit was seen;
/// a process that was stopped counts only with a file. Nothing if the plan has no such files, or no process
/// failed. Source: torch.distributed.elastic.multiprocessing.errors.ChildFailedError, ProcessFailure.
std::optional<Failure> rootCause(const RunState &state);

/// Completes `first`, the failure that was seen first, once all processes have ended: with the root cause if
/// the ranks wrote it, since a rank that failed earlier may have ended later, and with the workers that a
/// scheduler misses. Reads their files.
Failure settledFailure(const RunState &state, const Failure &first);

/// Returns the exit code of a run that has failed: that of the process that the verdict names, else that of
/// `settled`, if that process ended by itself; else that of `first`, the failure that was seen first. So
/// never that of a process that Rankdeck ended.
/// @param named index in the plan; -1: none.
int codeOfFailure(const RunState &state, int named, const Failure &settled, const Failure &first);

/// Returns a failure as soon as it is seen: the process at `index` of the plan has ended, or cannot be ended,
/// which `state` already has. Reads the end of the log, and the error file if there is one.
/// @param problem why it could not be started, or not be ended; empty: it could.
Failure failureAt(const RunState &state, int index, qint64 pid, const ExitStatus &status,
                  const Sentence &problem);

/// Describes an exit status: one sentence without a full stop, with the usual cause if there is one. Source
/// of the codes: POSIX shell (126, 127, 128 + n), signal(7).
Sentence describeExit(const ExitStatus &status);

/// Returns the id of the catalogue entry for such an end (resources/errors/exit.json, system-oom-killer);
/// empty if there is none.
QString exitEntry(const ExitStatus &status);

/// Returns the failure of the process at `index` of `plan`, with the present end of its log. Reads that file.
Failure failureOf(const LaunchPlan &plan, int index, qint64 pid, const ExitStatus &status,
                  const Sentence &reason);

/// Returns the failure of a hook before the launch on `node`, described by `reason`; it has no rank.
Failure failureOfHook(const LaunchPlan &plan, const QString &node, qint64 pid, const ExitStatus &status,
                      const Sentence &reason);

/// Reads the present end of its log again.
void readLogAgain(Failure &failure);

/// Returns "Rank 3 failed: exit code 3", for the time before the verdict; without a full stop.
Sentence failureTitle(const Failure &failure);

/// One sentence of advice: where to look next.
Sentence failureAdvice(const Failure &failure);

} // namespace rankdeck

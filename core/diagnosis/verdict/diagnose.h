#pragma once

#include "diagnosis/verdict/verdict.h"

namespace rankdeck
{

struct RunState;

/// Returns the verdict from the state of a run alone: the process that was seen to fail first and the end of
/// its log. Reads no file; diagnose() finds more. Without a failure hasFailure is false.
/// @param catalogue may be null: then no error is explained.
Verdict firstSight(const RunState &state, const ErrorCatalogue *catalogue, const QLocale &locale);

/// Returns how the processes have ended so far; empty for a log directory.
std::vector<Verdict::Exit> exitsOf(const RunState &state);

/// Finds out which rank of a run failed first, and why, from all that its processes left: see rule(). A run
/// that has not failed is judged by the errors in its logs; if there are none, hasFailure is false. Reads all
/// logs once, at some 400 MB/s per CPU: not for the GUI thread. May be called in any thread.
/// @param state a run, live or past, or a log directory.
/// @param isCancelled called now and then by several threads; once true, what was read so far counts.
Verdict diagnose(const RunState &state, const ErrorCatalogue &catalogue, const QLocale &locale,
                 const std::function<bool()> &isCancelled = {});
/// Uses ErrorCatalogue::load() and the language of the program.
Verdict diagnose(const RunState &state, const std::function<bool()> &isCancelled = {});

} // namespace rankdeck

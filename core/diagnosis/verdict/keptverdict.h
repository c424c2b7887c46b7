#pragma once

#include "diagnosis/verdict/verdict.h"

namespace rankdeck
{

struct RunState;

// The verdict of a failed run is kept as verdict.json: every view shows the same one, no log is read twice.

/// Returns the verdict that every view of a run shows: the kept one, else that of diagnose(), which is kept
/// if the run has ended, its directory is this user's to write, and the program speaks English. May be called
/// in any thread.
/// @param isCancelled as for diagnose(); a verdict that was cancelled is not kept.
Verdict verdictOf(const RunState &state, const std::function<bool()> &isCancelled = {});

/// Returns the kept verdict; nothing if the run has not failed and ended, or if the kept one is of another
/// language, another version of Rankdeck or another catalogue of the user's.
std::optional<Verdict> keptVerdict(const RunState &state);

/// Diagnoses a run of which all processes have ended, for its supervisor: in English, as all that is written
/// down. Nothing is kept if `isCancelled` returned true. Returns the verdict.
Verdict judgeRun(const RunState &state, const std::function<bool()> &isCancelled = {});

} // namespace rankdeck

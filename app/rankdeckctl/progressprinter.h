#pragma once

#include "diagnosis/progress/progresslogs.h"
#include "run/runstate.h"

namespace rankdeck
{

/// How rankdeckctl prints progress.
enum class ProgressFormat { Table, Json, Csv };

/// Print where each rank is.
void printProgress(const RunState &state, const ProgressLogs &logs, ProgressFormat format);
/// Print where the run is, on one line: for readers, or a JSON object.
void printProgressLine(const RunState &state, const ProgressLogs &logs, ProgressFormat format);

} // namespace rankdeck

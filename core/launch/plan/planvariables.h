#pragma once

#include "base/tr.h"

// Variables that a plan gives to processes, and that are read back elsewhere.

namespace rankdeck
{

/// The variable with the path for the error file of torch's @record.
inline constexpr char errorFileVariable[] = "TORCHELASTIC_ERROR_FILE";

/// The variable with the path for the function's return value; see pythonfunction.h.
inline constexpr char returnFileVariable[] = "RANKDECK_RETURN_FILE";

/// The variable with the number of restarts of the rank's group; torch elastic's name.
inline constexpr char restartCountVariable[] = "TORCHELASTIC_RESTART_COUNT";

/// Variable of a wrapped command: the run.json of its run. It identifies the command's processes if they are
/// not below it.
inline constexpr char runFileVariable[] = "RANKDECK_RUN_FILE";

/// Set to "before" or "after" in every hook, and so in all processes that a hook leaves running.
inline constexpr char hookVariable[] = "RANKDECK_HOOK";

} // namespace rankdeck

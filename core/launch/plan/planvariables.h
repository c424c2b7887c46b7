#pragma once

#include "base/tr.h"

// Variables that a plan gives to processes, and that are read back elsewhere.

namespace rankdeck
{

/// The variable that tells a rank where torch's @record writes what went wrong.
inline constexpr char errorFileVariable[] = "TORCHELASTIC_ERROR_FILE";

/// The variable that tells a rank where its function's return value goes; see pythonfunction.h.
inline constexpr char returnFileVariable[] = "RANKDECK_RETURN_FILE";

/// Tells a rank how often its group has been restarted; torch elastic's name.
inline constexpr char restartCountVariable[] = "TORCHELASTIC_RESTART_COUNT";

/// Variable of a wrapped command: the run.json of its run. It tells the command's processes from others where
/// they are not below it.
inline constexpr char runFileVariable[] = "RANKDECK_RUN_FILE";

/// Set to "before" or "after" in every hook, and so in all processes that a hook leaves running.
inline constexpr char hookVariable[] = "RANKDECK_HOOK";

} // namespace rankdeck

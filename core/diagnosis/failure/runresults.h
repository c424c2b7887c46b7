#pragma once

#include "base/jsontext.h"

namespace rankdeck
{

struct RunState;

/// Returns how each process of a run ended, as torch's PContext.wait() tells it: {"run", "state", "ended"
/// (true once the run has), "exit_code" (of the run; null while it is live), "processes" [{"role", "rank",
/// "local_rank", "node", "pid", "state", "exit_code" (as a shell reports it; null until it has ended),
/// "signal" (that ended it, "SIGKILL", or null), "ended_by_rankdeck", "stdout", "stderr" (files; one file
/// where both go there), "error_file" (null if it wrote none), "failure" (null unless it failed or wrote one,
/// else
/// {"message", "traceback" (lines), "timestamp" (seconds since 1970, or null)}), and for a function
/// "return_file", "return_value" (null until it has returned) and "return_problem" (why there is no value, or
/// null)}]}. Reads the files that the ranks wrote.
JsonText runResults(const RunState &state);

} // namespace rankdeck

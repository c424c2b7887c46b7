#pragma once

#include "result.h"
#include "run/processtree.h"
#include "run/runstate.h"

#include <QProcessEnvironment>

#include <optional>
#include <vector>

namespace rankdeck
{

/// A living process of a run that nobody watches over any more.
struct Leftover {
    ProcessInfo process;
    int rank = -1; ///< Index in LaunchPlan::processes of the rank that it is, or that started it.
};

/// What is alive on this machine of a run that lost its supervisor: processes in the session of a rank that
/// started when that rank did or later and have its variables, and processes of this user that have the run's
/// directory in their environment. A pid alone proves nothing: it may be a stranger's by now.
std::vector<Leftover> leftoversOf(const RunState &run);

/// SIGTERM to all of them, SIGKILL after the run's grace. Blocks until they have ended.
/// Error: some could not be killed.
std::optional<Error> endLeftovers(const RunState &run);

/// The environment that a process of this user was started with; empty where it cannot be seen.
QProcessEnvironment startEnvironment(pid_t pid);

/// Whether an environment has the variables that tell this rank from others, as the plan sets them; false
/// where it sets none.
bool hasVariablesOf(const ProcessPlan &plan, const QProcessEnvironment &environment);

} // namespace rankdeck

#pragma once

#include "base/result.h"
#include "run/process/processtree.h"

#include <QProcessEnvironment>

namespace rankdeck
{

struct RunState;
struct ProcessPlan;

/// A living process of a run that lost its supervisor.
struct Leftover {
    ProcessInfo process;
    int rank = -1; ///< Index in LaunchPlan::processes of the rank, or of the rank that started it.
};

/// Returns the living processes on this machine of a run that lost its supervisor: processes in the session
/// of a rank that started with that rank or later and have its variables, and processes of this user that
/// have the run's directory in their environment. A pid alone proves nothing: it may have been reused.
/// Returns none for an adopted run, whose processes were never Rankdeck's.
std::vector<Leftover> leftoversOf(const RunState &run);

/// Sends SIGTERM to all leftovers, SIGKILL after the run's grace. Blocks until they have exited. Fails if
/// some could not be killed.
std::optional<Error> endLeftovers(const RunState &run);

/// Returns the environment that a process of this user was started with; empty if it cannot be read.
QProcessEnvironment startEnvironment(pid_t pid);

/// Returns true if an environment has the variables that identify this rank, as the plan sets them; false if
/// it sets none.
bool hasVariablesOf(const ProcessPlan &plan, const QProcessEnvironment &environment);

} // namespace rankdeck

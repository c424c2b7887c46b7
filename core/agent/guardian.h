#pragma once

#include "run/exitstatus.h"
#include "run/supervisorid.h"

#include <optional>

#include <sys/types.h>

namespace rankdeck
{

// A supervisor can be killed, and so can its agent with it. Its parent, the guardian, has nothing else to do
// than to wait for that: a process forked from the same program before there is anything in it, which sleeps
// in one system call. It continues a supervisor that somebody stopped, hands SIGTERM and SIGINT on to it, and
// when it has died, what is left of the run comes to the guardian, which ends it (LostRun). Losing the
// guardian itself costs a run nothing but this.

/// A supervisor that has ended.
struct EndedSupervisor {
    pid_t pid = 0;
    ExitStatus status;
};

/// Fork. In the child, which is to be the supervisor, nothing is returned, at once; in the parent, the
/// guardian, how the supervisor has ended, when it has. Without a guardian where the system cannot fork. Call
/// it before there is a thread or a QCoreApplication.
std::optional<EndedSupervisor> guardSupervisor();

/// Who guards this process; nothing when guardSupervisor() did not make it. It is told of its guardian's end
/// by SIGCHLD.
std::optional<SupervisorId> guardianOfThisProcess();

} // namespace rankdeck

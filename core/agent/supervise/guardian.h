#pragma once

#include "run/process/exitstatus.h"
#include "run/process/processtree.h"

#include <optional>
#include <string_view>

namespace rankdeck
{

// A supervisor can be killed, and so can its agent with it; so can the agent of another node, where no
// supervisor sees the processes left behind. Its parent, the guardian, only waits for that: it is forked from
// the same program before the program has done anything, and sleeps in one system call. It continues a child
// that another process stopped, passes SIGTERM and SIGINT on to it, and when it has died, stops the remaining
// processes of the run (LostRun, lostAgentCommand()). The guardian's own parent, the keeper, does the same
// when both are killed, as by a command that kills every rankdeckctl: it has another name and another command
// line. A run survives the loss of one of the two unharmed.

/// The process that a guardian guarded, and how it exited.
struct GuardedProcess {
    pid_t pid = 0;
    ExitStatus status;
};

/// Forks twice. In the grandchild, which is to be the supervisor or the agent, nothing is returned, at once;
/// in the guardian how that has ended, when it has, and so in the keeper if the guardian was killed. Without
/// them where the system cannot fork. Call it before there is a thread or a QCoreApplication.
/// @param arguments those of main(); the keeper's are hidden from others.
std::optional<GuardedProcess> forkGuarded(char **arguments);

/// Option of an agent that is to have a guardian.
inline constexpr std::string_view guardedOption = "--guarded";

/// Returns the guardian of this process; nothing if forkGuarded() did not make the process. SIGCHLD reports
/// the guardian's exit.
std::optional<SupervisorId> guardianOfThisProcess();

} // namespace rankdeck

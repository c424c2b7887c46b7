#include "agent/guardian.h"

#include "run/processtree.h"

#include <csignal>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

pid_t guardianPid = 0;

/// Nothing while it lives.
std::optional<ExitStatus> lookAfter(pid_t guarded)
{
    continueIfStopped(guarded);
    siginfo_t end{};
    if (waitid(P_PID, static_cast<id_t>(guarded), &end, WEXITED | WNOHANG) != 0 || end.si_pid == 0)
        return std::nullopt;
    const bool exited = end.si_code == CLD_EXITED;
    return ExitStatus{exited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, end.si_status};
}

} // namespace

std::optional<GuardedProcess> forkGuarded()
{
    sigset_t awaited;
    sigset_t before;
    sigemptyset(&awaited);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&awaited, number);
    signal(SIGCHLD, SIG_DFL); // Of a child nobody hears who ignores it.
    sigprocmask(SIG_BLOCK, &awaited, &before);
    const pid_t self = getpid();
    const pid_t guarded = fork();
    if (guarded == 0) {
        guardianPid = self;
        prctl(PR_SET_PDEATHSIG, SIGCHLD);
    }
    if (guarded <= 0) {
        sigprocmask(SIG_SETMASK, &before, nullptr);
        return std::nullopt;
    }
    becomeSubreaper();
    prctl(PR_SET_NAME, "rankdeck-guard");
    for (;;) {
        const int number = sigwaitinfo(&awaited, nullptr);
        if (number == SIGTERM || number == SIGINT)
            kill(guarded, number);
        if (const auto status = lookAfter(guarded)) {
            sigprocmask(SIG_SETMASK, &before, nullptr);
            return GuardedProcess{guarded, *status};
        }
    }
}

std::optional<SupervisorId> guardianOfThisProcess()
{
    if (guardianPid == 0)
        return std::nullopt;
    return supervisorIdOf(guardianPid);
}

} // namespace rankdeck

#include "agent/supervise/guardian.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace rankdeck
{

static pid_t guardianPid = 0;

/// Nothing while it lives. It may be no child of this process any more, if the guardian before had seen its
/// end.
static std::optional<ExitStatus> lookAfter(pid_t guarded)
{
    continueIfStopped(guarded);
    siginfo_t end{};
    if (waitid(P_PID, static_cast<id_t>(guarded), &end, WEXITED | WNOHANG) != 0)
        return errno == ECHILD ? std::optional(ExitStatus{ExitStatus::Kind::Signalled, SIGKILL})
                               : std::nullopt;
    if (end.si_pid == 0)
        return std::nullopt;
    const bool exited = end.si_code == CLD_EXITED;
    return ExitStatus{exited ? ExitStatus::Kind::Exited : ExitStatus::Kind::Signalled, end.si_status};
}

/// Sleeps until `guarded` has ended.
static ExitStatus guard(pid_t guarded, const sigset_t &awaited)
{
    for (;;) {
        if (const auto status = lookAfter(guarded))
            return *status;
        const int number = sigwaitinfo(&awaited, nullptr);
        if (number == SIGTERM || number == SIGINT)
            kill(guarded, number);
    }
}

/// Changes the process's name and command line, so that a command that kills all processes of Rankdeck by
/// either does not find this one.
static void changeName(const char *name, char **arguments)
{
    prctl(PR_SET_NAME, name);
    char *const begin = arguments[0];
    if (!begin)
        return;
    char *end = begin;
    for (char **argument = arguments; *argument; ++argument) {
        end = *argument + std::strlen(*argument) + 1;
        *argument = strdup(*argument); // Still to be read.
    }
    const auto room = static_cast<std::size_t>(end - begin);
    std::memset(begin, 0, room);
    std::strncpy(begin, name, room - 1);
}

/// The keeper's part of forkGuarded().
static GuardedProcess keep(pid_t guardian, const pid_t &guarded, const sigset_t &awaited)
{
    const ExitStatus end = guard(guardian, awaited);
    if (end.kind == ExitStatus::Kind::Exited || guarded == 0)
        _exit(end.shellCode()); // The child has done its part.
    return {guarded, guard(guarded, awaited)};
}

std::optional<GuardedProcess> forkGuarded(char **arguments)
{
    sigset_t awaited;
    sigset_t before;
    sigemptyset(&awaited);
    for (const int number : {SIGCHLD, SIGTERM, SIGINT, SIGHUP})
        sigaddset(&awaited, number);
    signal(SIGCHLD, SIG_DFL); // A parent that ignores SIGCHLD does not learn of its child's exit.
    sigprocmask(SIG_BLOCK, &awaited, &before);
    void *const shared =
        mmap(nullptr, sizeof(pid_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const pid_t guardian = shared == MAP_FAILED ? -1 : fork();
    std::optional<GuardedProcess> ended;
    if (guardian > 0) {
        becomeSubreaper();
        changeName("rankdeck-keeper", arguments);
        ended = keep(guardian, *static_cast<pid_t *>(shared), awaited);
    } else if (const pid_t self = getpid(), guarded = fork(); guarded > 0) {
        if (guardian == 0)
            *static_cast<pid_t *>(shared) = guarded;
        becomeSubreaper();
        prctl(PR_SET_NAME, "rankdeck-guard");
        ended = GuardedProcess{guarded, guard(guarded, awaited)};
        if (guardian == 0)
            kill(getppid(), SIGCONT); // A keeper that was stopped could not end.
    } else if (guarded == 0) {
        guardianPid = self;
        prctl(PR_SET_PDEATHSIG, SIGCHLD);
    }
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return ended;
}

std::optional<SupervisorId> guardianOfThisProcess()
{
    if (guardianPid == 0)
        return std::nullopt;
    return supervisorIdOf(guardianPid);
}

} // namespace rankdeck

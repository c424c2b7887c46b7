#pragma once

#include <QString>

#include <optional>
#include <vector>

#include <sys/types.h>

namespace rankdeck
{

/// A process as /proc/PID/stat shows it.
struct ProcessInfo {
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    char state = '?';      ///< proc(5): R, S, D (uninterruptible), T (stopped), Z (zombie) …
    quint64 startTime = 0; ///< Clock ticks since boot.
    quint64 cpuTicks = 0;  ///< Clock ticks of all its threads so far, in user and kernel mode.
    qint64 residentPages = 0;
    QString name; ///< At most 15 characters, as the kernel keeps it.
};

/// Nothing when there is no such process.
std::optional<ProcessInfo> readProcess(pid_t pid);

/// The pids of all processes.
std::vector<pid_t> allPids();

/// Every process below `root`, zombies included, `root` not. For a child subreaper that is everything its
/// children ever started and that still lives, whatever sessions they made: orphans come back to the
/// subreaper.
std::vector<ProcessInfo> descendants(pid_t root);

/// The children of this process, zombies included.
std::vector<pid_t> ownChildren();

/// Continue a child of this process that somebody stopped (SIGSTOP). False when nobody did.
bool continueIfStopped(pid_t child);

/// Whether the process was started with the environment variable `name`; false where that cannot be seen.
bool wasStartedWith(pid_t pid, const char *name);

/// Make this process the parent of its descendants' orphans.
void becomeSubreaper();

} // namespace rankdeck

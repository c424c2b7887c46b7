#pragma once

#include "base/tr.h"

#include <optional>
#include <set>
#include <vector>

#include <sys/types.h>

namespace rankdeck
{

class Fields;

/// A process that watches over a run: its supervisor or guardian. The start time tells reused pids apart.
struct SupervisorId {
    QString host;
    qint64 pid = 0;
    quint64 startTime = 0; ///< Field 22 of /proc/PID/stat, clock ticks since boot.

    bool operator==(const SupervisorId &) const = default;
};

void visitFields(Fields &fields, SupervisorId &supervisor);

/// Returns the process of this host with this pid.
SupervisorId supervisorIdOf(qint64 pid);
SupervisorId thisSupervisor();

/// Returns false if the process is gone; true on another host, where that cannot be checked from here.
bool isAlive(const SupervisorId &supervisor);

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

/// Returns nothing if there is no such process.
std::optional<ProcessInfo> readProcess(pid_t pid);

std::vector<pid_t> allPids();

/// Returns every process below `root`, zombies included, without `root`. For a child subreaper that is
/// everything alive that its children ever started, in any session: orphans are reparented to the subreaper.
std::vector<ProcessInfo> descendants(pid_t root);

/// Returns a process and all above it. Empty if it is gone.
std::set<pid_t> lineOf(pid_t pid);

/// Whether this is a program of Rankdeck, by its name.
bool isRankdeck(const ProcessInfo &process);

/// Returns the children of this process, zombies included.
std::vector<pid_t> ownChildren();

/// Continues a child of this process that was stopped (SIGSTOP). False if it was not.
bool continueIfStopped(pid_t child);
/// The same for any process of this user, at any time after it was stopped.
bool continueIfSuspended(pid_t pid);

/// Whether the process was started with the environment variable `name`; false if that cannot be read.
bool wasStartedWith(pid_t pid, const char *name);

/// Makes this process the parent of its descendants' orphans.
void becomeSubreaper();

/// Lists the processes that listen on a TCP port of this machine, on any address: from /proc/net/tcp,
/// /proc/net/tcp6 and the open files of the processes that this user may inspect.
struct PortListeners {
    std::vector<ProcessInfo> processes;
    QString otherUser; ///< The owner of the port if no process was found; empty: the port is free.
};
PortListeners listenersOn(int port);

} // namespace rankdeck

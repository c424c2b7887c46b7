#pragma once

#include "base/tr.h"

#include <QHash>

namespace rankdeck
{

struct RunEvent;

/// Where the kernel reports that it killed processes because memory ran out. Empty paths are not read.
struct OutOfMemoryPlaces {
    QString kernelLog;   ///< Records as /dev/kmsg has them; their pids must be those that this process sees.
    QString countedFile; ///< memory.events (v2) or memory.oom_control (v1) of this process's memory cgroup.

    /// Returns the places for this process. The kernel log is among them only if pids are the kernel's own,
    /// not those of a container.
    static OutOfMemoryPlaces ofThisProcess();
};

/// Returns the file that counts out-of-memory kills in the memory cgroup of a process; empty if there is
/// none.
QString memoryCountFile(const QByteArray &cgroups, const QByteArray &mounts);

/// Finds out, for the ranks of this node, whether the kernel sent SIGKILL because memory ran out: either the
/// kernel log names the pid after the rank was started, or the count of such kills has risen since in the
/// memory cgroup of this process and its ranks. Ignores files that it may not read. Reads new records at once
/// and never waits. Source: Linux, mm/oom_kill.c.
class OutOfMemory
{
public:
    /// Make it before the first rank is started.
    explicit OutOfMemory(OutOfMemoryPlaces places = OutOfMemoryPlaces::ofThisProcess());
    ~OutOfMemory();
    Q_DISABLE_COPY_MOVE(OutOfMemory)

    /// Handles an event of a rank. If it ended by SIGKILL, or by exit code 137 of a shell, adds what the
    /// kernel reported to its status.
    /// @param mayBeAsked true if the SIGKILL may have been sent on purpose: then the count, which names no
    /// process, is ignored.
    void look(RunEvent &event, bool mayBeAsked);

private:
    void readKernelLog();
    void takeRecord(const QByteArray &record);
    /// Returns the number of kills in the cgroup; -1 if it cannot be read.
    qint64 count() const;

    OutOfMemoryPlaces m_places;
    int m_kernelLog = -1;
    QByteArray m_unfinished;        ///< Incomplete record; the kernel itself passes whole ones.
    QHash<qint64, QString> m_named; ///< By pid: the kernel's words.
    qint64 m_countBefore = -1;
    qint64 m_explained = 0; ///< Kills counted since the start that an event has already explained.
};

} // namespace rankdeck

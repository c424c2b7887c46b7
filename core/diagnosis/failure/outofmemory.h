#pragma once

#include "run/runevent.h"

#include <QByteArray>
#include <QHash>
#include <QString>

namespace rankdeck
{

/// Where a kernel tells that it ended processes because memory ran out. An empty one is not looked at.
struct OutOfMemoryPlaces {
    QString kernelLog;   ///< Records as /dev/kmsg has them; their pids must be those that this process sees.
    QString countedFile; ///< Of this process's memory cgroup: memory.events (v2) or memory.oom_control (v1).

    /// Of this process. The kernel log only where pids are the kernel's own, not those of a container.
    static OutOfMemoryPlaces ofThisProcess();
};

/// The file of a process's memory cgroup that counts; empty where there is none.
/// @param cgroups the process's /proc/PID/cgroup. @param mounts its /proc/PID/mountinfo.
/// Source: cgroups(7), proc(5), the kernel's admin-guide/cgroup-v1/memory.rst and cgroup-v2.rst.
QString memoryCountFile(const QByteArray &cgroups, const QByteArray &mounts);

/// Finds out, for the ranks of this node, whether SIGKILL was the kernel's when memory ran out: its log names
/// the pid after the rank was started, or the count of such ends in the memory cgroup that this process and
/// its ranks are in has risen since. What it may not read tells nothing. It reads what is new at once and
/// never waits. Source: Linux, mm/oom_kill.c.
class OutOfMemory
{
public:
    /// Make it before the first rank is started.
    explicit OutOfMemory(OutOfMemoryPlaces places = OutOfMemoryPlaces::ofThisProcess());
    ~OutOfMemory();
    Q_DISABLE_COPY_MOVE(OutOfMemory)

    /// See what happens to ranks, as it happens; of an end by SIGKILL, or by a shell's word for that (exit
    /// code 137), say in its status what the kernel said.
    /// @param mayBeAsked whether somebody may have sent that SIGKILL on purpose: then the count, which names
    /// nobody, says nothing.
    void look(RunEvent &event, bool mayBeAsked);

private:
    void readKernelLog();
    void takeRecord(const QByteArray &record);
    /// Of processes that were ended in the cgroup; -1 when it cannot be read.
    qint64 count() const;

    OutOfMemoryPlaces m_places;
    int m_kernelLog = -1;
    QByteArray m_unfinished;        ///< Of a record; whole ones come from the kernel itself.
    QHash<qint64, QString> m_named; ///< By pid: the kernel's words.
    qint64 m_countBefore = -1;
    qint64 m_explained = 0; ///< Of those that were counted since.
};

} // namespace rankdeck

#pragma once

#include "device/sample/devicesample.h"

#include <QHash>

#include <sys/types.h>

namespace rankdeck
{

// npu-smi names processes by the pids of the host, also inside a container, where our ranks have others.

/// Whether pids here are those of the host. Not in a container, unless it was started with --pid=host.
/// Source: pid_namespaces(7); the initial namespace has a fixed inode, PROC_PID_INIT_INO of linux/proc_ns.h.
bool isInitialPidNamespace();

/// The pids of a process in its namespaces, the one that /proc is of first, its own last: "NSpid" of
/// proc(5)'s status. Empty where that cannot be read.
QList<qint64> namespacePids(pid_t pid);
QList<qint64> namespacePidsFrom(QByteArrayView status);

/// A process on a chip, with its owner.
struct DeviceUser {
    DeviceProcess process;
    qint64 ownPid = 0; ///< The process's pid in this namespace; 0: unknown, as it is in another one.
    int owner = -1;    ///< PidView's owner of that pid; -1: not one of ours.
    QString user;      ///< "bob"; empty where it cannot be seen from here.

    bool isForeign() const { return owner < 0; }
    bool operator==(const DeviceUser &) const = default;
};

/// The process as in a sample, with "own_pid", "owner" and "user" where these are known.
void visitFields(Fields &fields, DeviceUser &user);

/// How to map the pids that npu-smi reports to processes here.
struct PidView {
    bool areHostPids = true;
    QHash<qint64, int> owners;            ///< Our processes by their pids here.
    QHash<qint64, qint64> byContainerPid; ///< Their pids here, by those in the innermost namespace of each.
};

/// Reads the namespaces of Rankdeck's processes: their pids in this one, and the caller's number for each (a
/// rank, say; from 0 up). On a host nothing is read.
PidView pidViewOf(const QHash<qint64, int> &owners);

/// Returns the owners of a chip's processes. A pid of npu-smi is looked up unchanged if pids are the host's;
/// elsewhere the pid in the container is (npu-smi 26.0 and later print it), and without that the process
/// stays unknown: an equal pid proves nothing. Looks into /proc only for the users' names, and for names of
/// processes that the source does not report (DCMI reports none).
QList<DeviceUser> joinProcesses(const QList<DeviceProcess> &processes, const PidView &view);

} // namespace rankdeck

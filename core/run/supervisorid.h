#pragma once

#include <QString>

namespace rankdeck
{

/// A process that watches over a run: its supervisor or that one's guardian. The start time tells a living
/// one from a stranger with its pid.
struct SupervisorId {
    QString host;
    qint64 pid = 0;
    quint64 startTime = 0; ///< Field 22 of /proc/PID/stat, clock ticks since boot.

    bool operator==(const SupervisorId &) const = default;
};

/// The process of this host with this pid.
SupervisorId supervisorIdOf(qint64 pid);
/// This process.
SupervisorId thisSupervisor();

/// False when its process is gone; true on another host, where nobody can tell from here.
bool isAlive(const SupervisorId &supervisor);

} // namespace rankdeck

#pragma once

#include <QString>

namespace rankdeck
{

/// Who watches over a run. The start time tells a living supervisor from a stranger with its pid.
struct SupervisorId {
    QString host;
    qint64 pid = 0;
    quint64 startTime = 0; ///< Field 22 of /proc/PID/stat, clock ticks since boot.

    bool operator==(const SupervisorId &) const = default;
};

/// This process.
SupervisorId thisSupervisor();

/// False when its process is gone; true on another host, where nobody can tell from here.
bool isAlive(const SupervisorId &supervisor);

} // namespace rankdeck

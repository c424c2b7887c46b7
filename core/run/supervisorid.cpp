#include "run/supervisorid.h"

#include "run/processtree.h"

#include <QSysInfo>

#include <unistd.h>

namespace rankdeck
{

SupervisorId supervisorIdOf(qint64 pid)
{
    const auto process = readProcess(static_cast<pid_t>(pid));
    return {QSysInfo::machineHostName(), pid, process ? process->startTime : 0};
}

SupervisorId thisSupervisor()
{
    return supervisorIdOf(getpid());
}

bool isAlive(const SupervisorId &supervisor)
{
    if (supervisor.host != QSysInfo::machineHostName())
        return true;
    const auto process = readProcess(static_cast<pid_t>(supervisor.pid));
    return process && process->startTime == supervisor.startTime && process->state != 'Z';
}

} // namespace rankdeck

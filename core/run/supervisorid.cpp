#include "run/supervisorid.h"

#include "run/processtree.h"

#include <QSysInfo>

#include <unistd.h>

namespace rankdeck
{

SupervisorId thisSupervisor()
{
    const auto self = readProcess(getpid());
    return {QSysInfo::machineHostName(), getpid(), self ? self->startTime : 0};
}

bool isAlive(const SupervisorId &supervisor)
{
    if (supervisor.host != QSysInfo::machineHostName())
        return true;
    const auto process = readProcess(static_cast<pid_t>(supervisor.pid));
    return process && process->startTime == supervisor.startTime && process->state != 'Z';
}

} // namespace rankdeck

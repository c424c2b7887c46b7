#pragma once

#include "run/process/processtree.h"

#include <map>

namespace rankdeck
{

/// Finds this user's processes on this machine that have a variable in their environment, started by any
/// program: the processes of a Slurm job, and the tasks that Slurm's daemon starts for srun.
class MarkedProcesses
{
public:
    MarkedProcesses(const QString &variable, const QString &value)
        : m_mark('\0' + (variable + '='_L1 + value).toLocal8Bit() + '\0')
    {
    }
    std::vector<ProcessInfo> look();

private:
    QByteArray m_mark;
    /// By pid, start time, and name, which changes with the program.
    std::map<std::tuple<pid_t, quint64, QString>, bool> m_known;
};

} // namespace rankdeck

#pragma once

#include "run/process/processtree.h"

#include <map>

namespace rankdeck
{

/// Finds the processes of this user on this machine that were started with a variable, whoever started them:
/// those of a Slurm job, and the tasks that srun has a daemon start.
class MarkedProcesses
{
public:
    MarkedProcesses(const QString &variable, const QString &value)
        : m_mark('\0' + (variable + QLatin1Char('=') + value).toLocal8Bit() + '\0')
    {
    }
    std::vector<ProcessInfo> look();

private:
    QByteArray m_mark;
    /// By pid, start time, and name, which changes with the program.
    std::map<std::tuple<pid_t, quint64, QString>, bool> m_known;
};

} // namespace rankdeck

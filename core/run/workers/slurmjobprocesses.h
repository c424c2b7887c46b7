#pragma once

#include "run/process/processtree.h"

#include <QProcessEnvironment>

#include <map>

namespace rankdeck
{

/// Finds the processes of a job of Slurm that run on this machine as this user.
class SlurmJobProcesses
{
public:
    explicit SlurmJobProcesses(const QString &id)
        : m_id(id)
    {
    }
    std::vector<ProcessInfo> look();

private:
    QString m_id;
    std::map<std::pair<pid_t, quint64>, bool> m_known; ///< By pid and start time.
};

/// Returns what a process of a job was started with, without the number of a task if it belongs to the batch
/// script: that is no rank.
QProcessEnvironment slurmTaskEnvironment(pid_t pid);

} // namespace rankdeck

#include "run/workers/slurmjobprocesses.h"

#include "run/strays/leftovers.h"

#include <QFile>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

std::vector<ProcessInfo> SlurmJobProcesses::look()
{
    const QByteArray mark = '\0' + ("SLURM_JOB_ID=" + m_id.toUtf8()) + '\0';
    std::map<std::pair<pid_t, quint64>, bool> known;
    std::vector<ProcessInfo> found;
    for (const pid_t pid : allPids()) {
        const auto process = readProcess(pid);
        if (!process)
            continue;
        const std::pair key(pid, process->startTime);
        const auto before = m_known.find(key);
        bool isOfJob = before != m_known.end() && before->second;
        if (before == m_known.end()) {
            struct stat its = {};
            QFile environment(QStringLiteral("/proc/%1/environ").arg(pid));
            isOfJob = stat(QFile::encodeName(QStringLiteral("/proc/%1").arg(pid)).constData(), &its) == 0 &&
                      its.st_uid == geteuid() && environment.open(QIODevice::ReadOnly) &&
                      ('\0' + environment.readAll()).contains(mark);
        }
        known.emplace(key, isOfJob);
        if (isOfJob)
            found.push_back(*process);
    }
    m_known = std::move(known);
    return found;
}

QProcessEnvironment slurmTaskEnvironment(pid_t pid)
{
    QProcessEnvironment environment = startEnvironment(pid);
    bool isStep = false;
    environment.value(QStringLiteral("SLURM_STEP_ID")).toInt(&isStep); // Too large for the batch script's.
    if (!isStep) {
        environment.remove(QStringLiteral("SLURM_PROCID"));
        environment.remove(QStringLiteral("SLURM_LOCALID"));
    }
    return environment;
}

} // namespace rankdeck

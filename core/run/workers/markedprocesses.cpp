#include "run/workers/markedprocesses.h"

#include <QFile>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

std::vector<ProcessInfo> MarkedProcesses::look()
{
    decltype(m_known) known;
    std::vector<ProcessInfo> found;
    for (const pid_t pid : allPids()) {
        const auto process = readProcess(pid);
        if (!process)
            continue;
        const std::tuple key(pid, process->startTime, process->name);
        const auto before = m_known.find(key);
        bool isMarked = before != m_known.end() && before->second;
        if (before == m_known.end()) {
            struct stat its = {};
            QFile environment(u"/proc/%1/environ"_s.arg(pid));
            isMarked = stat(QFile::encodeName(u"/proc/%1"_s.arg(pid)).constData(), &its) == 0 &&
                       its.st_uid == geteuid() && environment.open(QIODevice::ReadOnly) &&
                       ('\0' + environment.readAll()).contains(m_mark);
        }
        known.emplace(key, isMarked);
        if (isMarked)
            found.push_back(*process);
    }
    m_known = std::move(known);
    return found;
}

} // namespace rankdeck

#include "agent/adoption/namedprocesses.h"

#include "launch/text/commandline.h"
#include "run/workers/ranksearch.h"

#include <QFileInfo>

#include <set>

#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

namespace
{

using Processes = std::map<pid_t, ProcessInfo>;

/// Whether the program, or the script of an interpreter, is called so.
bool isCalled(const QString &name, const ProcessInfo &process, const QStringList &command)
{
    return process.name == name || QFileInfo(command.value(0)).fileName() == name ||
           QFileInfo(command.value(1)).fileName() == name;
}

bool isBelow(const ProcessInfo &process, const std::set<pid_t> &others, const Processes &all)
{
    for (auto above = all.find(process.parent); above != all.end(); above = all.find(above->second.parent)) {
        if (others.contains(above->first))
            return true;
    }
    return false;
}

} // namespace

std::optional<uid_t> ownerOf(pid_t pid)
{
    struct stat its = {};
    const QByteArray folder = "/proc/" + QByteArray::number(pid);
    return stat(folder.constData(), &its) == 0 ? std::optional(its.st_uid) : std::nullopt;
}

QString shortCommand(const QStringList &command)
{
    constexpr int shown = 120;
    const QString line = joinCommandLine(command).simplified();
    return line.size() > shown ? line.left(shown) + u"…"_s : line;
}

std::vector<NamedProcess> processesNamed(const QString &name)
{
    Processes all;
    for (const pid_t pid : allPids()) {
        if (const auto process = readProcess(pid))
            all.emplace(pid, *process);
    }
    const std::set<pid_t> line = lineOf(getpid());
    std::map<pid_t, QStringList> commands;
    std::set<pid_t> called;
    std::set<pid_t> mentioned;
    for (const auto &[pid, process] : all) {
        if (line.contains(pid) || process.state == 'Z' || isRankdeck(process) || ownerOf(pid) != geteuid())
            continue;
        const QStringList command = commandOf(pid);
        if (command.isEmpty())
            continue;
        commands.emplace(pid, command);
        if (isCalled(name, process, command))
            called.insert(pid);
        else if (command.join(' '_L1).contains(name))
            mentioned.insert(pid);
    }
    const std::set<pid_t> &meant = called.empty() ? mentioned : called;
    std::vector<NamedProcess> found;
    for (const pid_t pid : meant) {
        if (!isBelow(all.at(pid), meant, all))
            found.push_back({pid, shortCommand(commands.at(pid))});
    }
    return found;
}

} // namespace rankdeck

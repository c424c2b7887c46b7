#include "agent/preflight/userlimits.h"

#include "launch/plan/launchplan.h"

#include <QDir>
#include <QFile>

#include <algorithm>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rankdeck
{

/// Descriptors that an agent needs besides those of its ranks: streams, samples, tools.
constexpr rlim_t ownOpenFiles = 48;
constexpr rlim_t ownProcesses = 8; ///< Guardians, supervisor, agent, and programs that they start.

/// The processes and threads of this user that the kernel counts.
static rlim_t threadsOfUser()
{
    rlim_t count = 0;
    const QStringList pids = QDir(u"/proc"_s).entryList({u"[0-9]*"_s}, QDir::Dirs);
    for (const QString &pid : pids) {
        struct stat info = {};
        if (stat(QFile::encodeName(u"/proc/%1/task"_s.arg(pid)).constData(), &info) == 0 &&
            info.st_uid == getuid())
            count += info.st_nlink - 2; // One folder a thread.
    }
    return count;
}

static Error limitProblem(const QString &needed, rlim_t limit, const QString &option, rlim_t enough)
{
    return {tr("%1; the limit is %2").arg(needed).arg(limit), u"ulimit -H"_s + option,
            tr("Raise it in the shell that you launch from (ulimit -%1 %2), or ask your administrator.")
                .arg(option)
                .arg(enough)};
}

std::optional<Error> problemWithLimits(const LaunchPlan &plan)
{
    rlim_t files = ownOpenFiles;
    for (const ProcessPlan &process : plan.processes)
        files += process.hasTerminal ? 4 : 1;
    const auto ranks = qulonglong(plan.processes.size());
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && files > limit.rlim_max)
        return limitProblem(
            tr("%n processes need about %1 open files", "%n process needs about %1 open files", int(ranks))
                .arg(files),
            limit.rlim_max, u"n"_s, std::max<rlim_t>(4096, files));
    // The limit does not count for root.
    if (geteuid() == 0 || getrlimit(RLIMIT_NPROC, &limit) != 0 || limit.rlim_max == RLIM_INFINITY)
        return std::nullopt;
    const rlim_t running = threadsOfUser();
    const rlim_t processes = running + ownProcesses + ranks;
    if (processes > limit.rlim_max)
        return limitProblem(tr("%n processes will be started; %1 are already running",
                               "%n process will be started; %1 are already running", int(ranks))
                                .arg(running),
                            limit.rlim_max, u"u"_s, std::max<rlim_t>(65536, processes));
    return std::nullopt;
}

} // namespace rankdeck

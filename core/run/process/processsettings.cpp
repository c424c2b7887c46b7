#include "run/process/processsettings.h"

#include "launch/plan/processplan.h"

#include <QDir>

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fcntl.h>
#include <linux/mempolicy.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rankdeck
{

static bool limit(__rlimit_resource resource, rlim_t value)
{
    const rlimit both{value, value};
    return value == 0 || setrlimit(resource, &both) == 0;
}

/// The limits that this process has raised, as they were before.
static std::map<__rlimit_resource, rlimit> inherited;

/// Returns the open descriptors of this process but its streams; close_range(2) is missing before Linux 5.9.
static QList<int> descriptors()
{
    QList<int> open;
    const QStringList names = QDir(u"/proc/self/fd"_s).entryList(QDir::AllEntries | QDir::System);
    for (const QString &name : names) {
        if (name.toInt() > STDERR_FILENO)
            open << name.toInt();
    }
    return open;
}

void closeInherited()
{
    for (const int descriptor : descriptors())
        close(descriptor);
}

void keepFromChildren()
{
    for (const int descriptor : descriptors())
        fcntl(descriptor, F_SETFD, FD_CLOEXEC);
}

void raiseLimits()
{
    constexpr rlim_t mostOpenFiles = 65536;
    for (const auto resource : {RLIMIT_NOFILE, RLIMIT_NPROC}) {
        rlimit now{};
        if (getrlimit(resource, &now) != 0)
            continue;
        rlimit raised = now;
        raised.rlim_cur = resource == RLIMIT_NOFILE ? std::min(now.rlim_max, mostOpenFiles) : now.rlim_max;
        if (raised.rlim_cur > now.rlim_cur && setrlimit(resource, &raised) == 0)
            inherited.emplace(resource, now);
    }
}

void restoreLimits()
{
    for (const auto &[resource, limits] : inherited)
        setrlimit(resource, &limits);
}

rlim_t inheritedLimit(__rlimit_resource resource)
{
    if (const auto raised = inherited.find(resource); raised != inherited.end())
        return raised->second.rlim_cur;
    rlimit now{};
    return getrlimit(resource, &now) == 0 ? now.rlim_cur : RLIM_INFINITY;
}

/// The most that this user may set; RLIM_INFINITY for the superuser.
static rlim_t most(__rlimit_resource resource)
{
    rlimit current{};
    return geteuid() == 0 || getrlimit(resource, &current) != 0 ? RLIM_INFINITY : current.rlim_max;
}

/// The lowest nice level that this user may set (getrlimit(2), RLIMIT_NICE).
static int leastNice()
{
    constexpr rlim_t least = 40;
    rlimit current{};
    if (geteuid() == 0 || getrlimit(RLIMIT_NICE, &current) != 0)
        return -20;
    return 20 - static_cast<int>(std::min(current.rlim_cur, least));
}

QString makeScratchDirectory(const QStringList &roots)
{
    for (const QString &root : roots) {
        QByteArray path = QFile::encodeName(root + u"/rankdeck-XXXXXX"_s);
        if (mkdtemp(path.data()))
            return QFile::decodeName(path);
    }
    return {};
}

constexpr unsigned bitsOfWord = 8 * sizeof(unsigned long);

ProcessSettings::ProcessSettings(const ProcessPlan &plan)
    : m_nice(plan.nice)
    , m_memory(static_cast<rlim_t>(plan.memoryLimitMiB) << 20)
    , m_openFiles(static_cast<rlim_t>(plan.openFiles))
    , m_umask(plan.umask)
{
    if (!plan.cpus.isEmpty())
        m_cpus.emplace(plan.cpus);
    constexpr int mostNodes = 1024; // MAX_NUMNODES of the kernel.
    for (const int node : plan.memoryNodes) {
        if (node < 0 || node >= mostNodes)
            continue;
        const std::size_t word = static_cast<std::size_t>(node) / bitsOfWord;
        m_memoryNodes.resize(std::max(m_memoryNodes.size(), word + 1));
        m_memoryNodes[word] |= 1UL << (static_cast<unsigned>(node) % bitsOfWord);
    }
}

const char *ProcessSettings::apply() const
{
    restoreLimits();
    if (m_cpus && !m_cpus->apply())
        return "rankdeck: none of the cpus that the plan names can be used here\n";
    // The kernel reads one bit less than its argument says.
    if (!m_memoryNodes.empty() && syscall(SYS_set_mempolicy, MPOL_BIND, m_memoryNodes.data(),
                                          m_memoryNodes.size() * bitsOfWord + 1) != 0)
        return "rankdeck: memory cannot be bound to the NUMA nodes that the plan names (--bind_numa)\n";
    if (m_nice != 0 && setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + m_nice) != 0)
        return "rankdeck: the nice level that the plan names is not allowed here\n";
    if (!limit(RLIMIT_NOFILE, m_openFiles))
        return "rankdeck: so many open files as the plan names are not allowed here\n";
    if (m_umask >= 0)
        umask(static_cast<mode_t>(m_umask));
    // Last: from here on the process may have no memory left for anything else.
    if (!limit(RLIMIT_AS, m_memory))
        return "rankdeck: the memory limit that the plan names is not allowed here\n";
    return nullptr;
}

std::optional<Error> problemWithSettings(const ProcessPlan &plan)
{
    const int nice = getpriority(PRIO_PROCESS, 0) + plan.nice;
    if (plan.nice < 0 && nice < leastNice())
        return Error{tr("the nice level %1 is not allowed here").arg(plan.nice), u"--nice"_s,
                     tr("Give %1 or more.").arg(leastNice() - getpriority(PRIO_PROCESS, 0))};
    if (static_cast<rlim_t>(plan.openFiles) > most(RLIMIT_NOFILE))
        return Error{tr("%1 open files are not allowed here").arg(plan.openFiles), u"--open-files"_s,
                     tr("Give at most %1.").arg(static_cast<qulonglong>(most(RLIMIT_NOFILE)))};
    const rlim_t memory = static_cast<rlim_t>(plan.memoryLimitMiB) << 20;
    if (memory > most(RLIMIT_AS))
        return Error{tr("a memory limit of %1 MiB is above this user's own").arg(plan.memoryLimitMiB),
                     u"--memory-limit"_s,
                     tr("Give at most %1M.").arg(static_cast<qulonglong>(most(RLIMIT_AS) >> 20))};
    return std::nullopt;
}

} // namespace rankdeck

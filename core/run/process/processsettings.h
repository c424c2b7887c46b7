#pragma once

#include "base/cpuset.h"
#include "base/result.h"

#include <sys/resource.h>

#include <optional>

namespace rankdeck
{

struct ProcessPlan;

/// Makes a directory (0700, rankdeck-XXXXXX) under the first writable one of `roots`; empty if there is none.
QString makeScratchDirectory(const QStringList &roots);

/// Closes all descriptors but the standard ones: files of a shell or cron job would stay open and locked.
void closeInherited();
/// Programs that this process starts from now on get none of its descriptors but the standard ones.
void keepFromChildren();

/// Raises the soft limits of open files (to 65,536 at most: some programs close all) and processes.
void raiseLimits();
/// Takes raiseLimits() back, for a process that is started now; ProcessSettings does so for ranks.
void restoreLimits();
/// Returns the soft limit of RLIMIT_NOFILE or RLIMIT_NPROC from before raiseLimits().
rlim_t inheritedLimit(__rlimit_resource resource);

/// A plan's settings for a process besides its environment, prepared to be applied between fork and exec.
class ProcessSettings
{
public:
    explicit ProcessSettings(const ProcessPlan &plan);

    /// Applies the settings, between fork and exec. Returns null, or the forbidden one as a line for the log.
    const char *apply() const;

private:
    std::optional<CpuSet> m_cpus;
    std::vector<unsigned long> m_memoryNodes; ///< A bit for each node; empty: as inherited.
    int m_nice;
    rlim_t m_memory;    ///< Bytes; 0: as inherited.
    rlim_t m_openFiles; ///< 0: as inherited.
    int m_umask;        ///< -1: as inherited.
};

/// Returns the first setting of `plan` that this user may not give to a process on this machine.
std::optional<Error> problemWithSettings(const ProcessPlan &plan);

} // namespace rankdeck

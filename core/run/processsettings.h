#pragma once

#include "cpuset.h"
#include "launch/launchplan.h"
#include "result.h"

#include <optional>

#include <sys/resource.h>

namespace rankdeck
{

/// What a plan gives a process besides its environment: cpus, nice level, limits, umask; ready to be applied
/// between fork and exec.
class ProcessSettings
{
public:
    explicit ProcessSettings(const ProcessPlan &plan);

    /// Give them to the calling process. Safe between fork and exec. Null, or what is not allowed here, as a
    /// line for the process's log.
    const char *apply() const;

private:
    std::optional<CpuSet> m_cpus;
    int m_nice;
    rlim_t m_memory;    ///< Bytes; 0: as inherited.
    rlim_t m_openFiles; ///< 0: as inherited.
    int m_umask;        ///< -1: as inherited.
};

/// The first setting of `plan` that this user may not give to a process on this machine.
std::optional<Error> problemWithSettings(const ProcessPlan &plan);

} // namespace rankdeck

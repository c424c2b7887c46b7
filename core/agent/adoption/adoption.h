#pragma once

#include "launch/plan/launchplan.h"
#include "launch/spec/launchspec.h"

namespace rankdeck
{

/// A run that watches processes started outside Rankdeck.
struct Adoption {
    LaunchSpec spec; ///< A wrap of the same command: what "Run again" launches.
    LaunchPlan plan;
};

/// Returns the run that watches a process: a rank alone, or a launcher with the ranks that are below it now
/// or later. Blocks for some milliseconds. Fails if there is no such process, if it belongs to another user,
/// or if a run of this user already has it.
Result<Adoption> adoptProcess(pid_t pid);

/// Returns the run that follows a job of Slurm to its end: its output files, and its ranks on this node.
/// Blocks while Slurm answers. Fails as askForSlurmJob(), if the job has ended, if it belongs to another
/// user, or if a run already follows it.
Result<Adoption> adoptSlurmJob(const QString &id);

} // namespace rankdeck

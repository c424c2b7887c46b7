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

/// Returns the run that watches a process: a rank alone, or a launcher with the ranks below it, now or later.
/// Blocks for ms. Fails if there is no such process, or it is another user's or in a run of this user.
Result<Adoption> adoptProcess(pid_t pid);

/// Returns the run that follows a job of Slurm to its end: its output files, and its ranks here. Blocks.
/// Fails as askForSlurmJob(), and for a job that has ended, is another user's, or is followed.
Result<Adoption> adoptSlurmJob(const QString &id);

} // namespace rankdeck

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

/// Returns the run, still without a name, that watches what is planned as `top`: a process or a job of Slurm.
Adoption adoptionOf(const AdoptedProcess &adopted, ProcessPlan top);

/// Returns the run that watches a process: a rank alone, or a launcher with the ranks below it, now or later.
/// Blocks for ms. Fails if there is no such process, or it is another user's or in a run of this user.
Result<Adoption> adoptProcess(pid_t pid);

/// Returns the run that follows a job of Slurm to its end: its output files, and its ranks here. Blocks.
/// Fails as askForSlurmJob(), and for a job that has ended, is another user's, or is followed.
Result<Adoption> adoptSlurmJob(const QString &id);

/// Returns the command as a sentence shows it, cut: it may hold a whole script.
QString shortCommand(const QStringList &command);

struct NamedProcess {
    pid_t pid = 0;
    QString command; ///< As shortCommand().
    bool operator==(const NamedProcess &) const = default;
};

/// Returns the processes of this user whose program or script is called `name`, else those with `name` in
/// their command line, by pid; not this process or one above it, Rankdeck's, or those below another result.
std::vector<NamedProcess> processesNamed(const QString &name);

} // namespace rankdeck

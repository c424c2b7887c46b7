#include "agent/adoption/adoption.h"
#include "agent/preflight/openruns.h"
#include "base/filename.h"
#include "run/workers/slurmjob.h"

#include <unistd.h>

namespace rankdeck
{

/// Returns why this job cannot be followed.
static std::optional<Error> problemWith(const SlurmJob &job, const QString &place)
{
    if (job.userId != geteuid())
        return Error{tr("the job belongs to %1").arg(job.user), place,
                     tr("Only your own jobs can be followed; run this as that user.")};
    if (job.hasEnded())
        return Error{tr("the job has ended already: %1").arg(job.state.toLower()), place,
                     tr("Read its log with \"rankdeckctl open %1\".").arg(job.output)};
    for (const OpenRun &run : openRuns()) {
        if (!run.isLost && run.record.plan.adopted && run.record.plan.adopted->job == job.id)
            return Error{tr("the run %1 follows this job already").arg(run.record.name), place,
                         tr("Open it with \"rankdeckctl attach %1\".").arg(run.record.name)};
    }
    return std::nullopt;
}

static ProcessPlan planOf(const SlurmJob &job)
{
    ProcessPlan plan;
    plan.role = Role::Console;
    plan.rank = Rank(0);
    plan.argv = QStringList{u"sbatch"_s, u"--wait"_s};
    if (!job.command.isEmpty())
        plan.argv << job.command;
    plan.workDir = job.workDir;
    plan.logFile = job.output;
    if (job.errors != job.output)
        plan.stderrFile = job.errors;
    if (plan.logFile.isEmpty() || plan.logFile == "/dev/null"_L1)
        plan.logFile = inRunDirectory(u"/logs/console.log"_s);
    return plan;
}

Result<Adoption> adoptSlurmJob(const QString &id)
{
    const auto job = askForSlurmJob(id);
    if (!job)
        return job.error();
    if (const auto error = problemWith(*job, u"slurm:"_s + id))
        return *error;
    Adoption adoption = adoptionOf({0, 0, job->id}, planOf(*job));
    LaunchPlan &plan = adoption.plan;
    plan.name = asFileName(job->name.isEmpty() ? id : job->name);
    plan.jobId = job->id;
    plan.notes << Sentence::tr(
                      "Rankdeck follows the Slurm job %1, which it did not start. Stopping the run ends the "
                      "watching, not the job.")
                      .arg(job->id);
    adoption.spec.name = plan.name;
    return adoption;
}

} // namespace rankdeck

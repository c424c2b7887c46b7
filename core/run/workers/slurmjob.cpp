#include "run/workers/slurmjob.h"

#include "base/program.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>

#include <array>
#include <csignal>

namespace rankdeck
{

namespace
{

constexpr int answerMs = 20000;

/// Returns the value behind "Key=", which ends with the line if `isLong`, else with the word.
QString valueOf(const QString &text, const char *key, bool isLong = false)
{
    const QRegularExpression pattern(
        u"(?:^|\\s)%1=(%2)"_s.arg(QLatin1String(key), isLong ? u"[^\\n]*"_s : u"\\S*"_s));
    const QString value = pattern.match(text).captured(1).trimmed();
    return value == "(null)"_L1 ? QString() : value;
}

SlurmJob jobFrom(const QString &text)
{
    SlurmJob job;
    job.id = valueOf(text, "JobId");
    job.name = valueOf(text, "JobName", true);
    job.array = valueOf(text, "ArrayJobId");
    job.tasks = valueOf(text, "ArrayTaskId");
    const QString user = valueOf(text, "UserId"); // "bob(1000)"
    job.user = user.section('('_L1, 0, 0);
    job.userId = user.section('('_L1, 1, 1).chopped(user.endsWith(')'_L1) ? 1 : 0).toUInt();
    job.state = valueOf(text, "JobState");
    job.exitCode = valueOf(text, "ExitCode");
    job.command = valueOf(text, "Command", true);
    job.workDir = valueOf(text, "WorkDir", true);
    job.output = valueOf(text, "StdOut", true);
    job.errors = valueOf(text, "StdErr", true);
    return job;
}

/// Returns an error if the id means no single job of an array, or not yet.
std::optional<Error> problemWithArray(const QList<SlurmJob> &jobs, const QString &id)
{
    const QString place = u"slurm:"_s + id;
    if (jobs.size() > 1 || jobs.first().array == id)
        return Error{tr("this is an array of jobs"), place, tr("Give one of them, e.g. slurm:%1_1.").arg(id)};
    bool isOne = false;
    jobs.first().tasks.toInt(&isOne);
    if (!isOne && !jobs.first().tasks.isEmpty())
        return Error{tr("this job of the array still waits"), place, tr("Try again when it runs.")};
    return std::nullopt;
}

/// squeue(1): a job in any other state has ended.
constexpr std::array liveStates{"PENDING",       "CONFIGURING",  "RUNNING",      "COMPLETING", "SUSPENDED",
                                "STOPPED",       "SIGNALING",    "STAGE_OUT",    "RESIZING",   "REQUEUED",
                                "RESV_DEL_HOLD", "SPECIAL_EXIT", "REQUEUE_HOLD", "REQUEUE_FED"};

} // namespace

bool isUnknownToSlurm(const QByteArray &errors)
{
    return errors.contains("Invalid job id");
}

bool SlurmJob::hasEnded() const
{
    return !state.isEmpty() && std::ranges::none_of(liveStates, [this](const char *live) {
        return state == QLatin1String(live);
    });
}

ExitStatus SlurmJob::status() const
{
    const int code = exitCode.section(':'_L1, 0, 0).toInt();
    const int signal = exitCode.section(':'_L1, 1, 1).toInt();
    if (state == "COMPLETED"_L1)
        return {ExitStatus::Kind::Exited, 0};
    if (code > 0)
        return {ExitStatus::Kind::Exited, code};
    if (signal > 0 && signal < NSIG)
        return {ExitStatus::Kind::Signalled, signal};
    for (const char *asked : {"CANCELLED", "TIMEOUT", "DEADLINE", "PREEMPTED"}) {
        if (state == QLatin1String(asked))
            return {ExitStatus::Kind::Signalled, SIGTERM};
    }
    return {ExitStatus::Kind::Unknown, 0};
}

QList<SlurmJob> slurmJobsFrom(const QByteArray &text)
{
    QList<SlurmJob> jobs;
    for (const QString &part : QString::fromUtf8(text).split(u"\n\n"_s, Qt::SkipEmptyParts)) {
        const SlurmJob job = jobFrom(part);
        if (!job.id.isEmpty())
            jobs << job;
    }
    return jobs;
}

Result<SlurmJob> askForSlurmJob(const QString &id)
{
    const QString place = u"slurm:"_s + id;
    static const QRegularExpression number(u"^\\d+(_\\d+)?$"_s);
    if (!id.contains(number))
        return Error{tr("\"%1\" is not the id of a Slurm job").arg(id), place,
                     tr("Give the number that sbatch has printed.")};
    const QString scontrol = QStandardPaths::findExecutable(u"scontrol"_s);
    if (scontrol.isEmpty())
        return Error{tr("scontrol, which tells of jobs, is not installed here"), place,
                     tr("Run this where Slurm is installed.")};
    QProcess process;
    process.setProcessEnvironment(withoutLibraries());
    process.start(scontrol, {u"show"_s, u"job"_s, id});
    if (!process.waitForFinished(answerMs))
        return Error{tr("Slurm did not answer within %1 s").arg(answerMs / 1000), place, tr("Try again.")};
    const QByteArray errors = process.readAllStandardError();
    const QList<SlurmJob> jobs = slurmJobsFrom(process.readAllStandardOutput());
    if (jobs.isEmpty())
        return isUnknownToSlurm(errors)
                   ? Error{tr("Slurm does not know this job, or has forgotten it"), place,
                           tr("List your jobs with \"squeue --me\". To read the logs of an old one: "
                              "\"rankdeckctl open FILE\".")}
                   : Error{tr("Slurm does not tell of the job: %1").arg(lastLineOf(errors)), place, {}};
    if (const auto error = problemWithArray(jobs, id))
        return *error;
    return jobs.first();
}

} // namespace rankdeck

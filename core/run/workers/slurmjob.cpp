#include "run/workers/slurmjob.h"

#include "base/program.h"
#include "run/strays/leftovers.h"

#include <QFileInfo>
#include <QRegularExpression>

#include <array>

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
    const QString scontrol = systemTool(u"scontrol"_s);
    if (!QFileInfo::exists(scontrol))
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

SlurmJobWatch::SlurmJobWatch(QString id)
    : m_id(std::move(id))
{
    connect(&m_timer, &QTimer::timeout, this, &SlurmJobWatch::ask);
    for (QProcess *process : {&m_scontrol, &m_sacct, &m_scancel})
        process->setProcessEnvironment(withoutLibraries());
    connect(&m_scontrol, &QProcess::finished, this, &SlurmJobWatch::take);
    connect(&m_sacct, &QProcess::finished, this, &SlurmJobWatch::takeHistory);
    onFailedStart(m_scontrol, &m_timer, [this] { m_timer.start(); });
    connect(&m_scancel, &QProcess::finished, this, [this] {
        const QByteArray errors = m_scancel.readAllStandardError();
        if (!errors.isEmpty())
            Q_EMIT noted(
                Sentence::tr("The Slurm job %1 was not cancelled: %2").arg(m_id, lastLineOf(errors)));
    });
    onFailedStart(m_sacct, this, [this] { end({ExitStatus::Kind::Unknown, 0}); });
}

SlurmJobWatch::~SlurmJobWatch()
{
    stop();
}

void SlurmJobWatch::stop()
{
    m_timer.stop();
    for (QProcess *process : {&m_scontrol, &m_sacct, &m_scancel}) {
        process->disconnect(this);
        process->kill();
        process->waitForFinished();
    }
}

void SlurmJobWatch::cancel()
{
    m_scancel.start(systemTool(u"scancel"_s), {m_id});
}

void SlurmJobWatch::ask()
{
    m_scontrol.start(systemTool(u"scontrol"_s), {u"show"_s, u"job"_s, m_id});
}

void SlurmJobWatch::take()
{
    const QList<SlurmJob> jobs = slurmJobsFrom(m_scontrol.readAllStandardOutput());
    // The id of an array is also that of its last job.
    const auto job = std::ranges::find(jobs, m_id, &SlurmJob::id);
    if (job != jobs.end())
        takeJob(*job);
    else if (isUnknownToSlurm(m_scontrol.readAllStandardError()))
        askHistory();
    else // The controller is away; it will be back.
        m_timer.start();
}

void SlurmJobWatch::takeJob(const SlurmJob &job)
{
    if (std::exchange(m_state, job.state) != job.state)
        Q_EMIT noted(Sentence::tr("The Slurm job %1 is %2.").arg(m_id, job.state.toLower()));
    const bool hasLog = job.output.isEmpty() || QFileInfo::exists(job.output) || job.hasEnded();
    if (!job.isPending() && hasLog && !std::exchange(m_hasStarted, true))
        Q_EMIT started();
    if (job.hasEnded())
        end(job.status());
    else
        m_timer.start();
}

/// Slurm's controller forgets a job some minutes after its end.
void SlurmJobWatch::askHistory()
{
    m_sacct.start(systemTool(u"sacct"_s), {u"--allocations"_s, u"--noheader"_s, u"--parsable2"_s,
                                           u"--format=State,ExitCode"_s, u"--jobs="_s + m_id});
}

void SlurmJobWatch::takeHistory()
{
    // "CANCELLED by 1000|0:15"
    const QString line = QString::fromUtf8(m_sacct.readAllStandardOutput()).section('\n'_L1, 0, 0);
    SlurmJob job;
    job.state = line.section('|'_L1, 0, 0).section(' '_L1, 0, 0);
    job.exitCode = line.section('|'_L1, 1, 1);
    if (job.state.isEmpty())
        Q_EMIT noted(Sentence::tr("Slurm has forgotten job %1.").arg(m_id));
    if (job.hasEnded())
        takeJob(job);
    else
        end({ExitStatus::Kind::Unknown, 0});
}

void SlurmJobWatch::end(const ExitStatus &status)
{
    m_timer.stop();
    if (!std::exchange(m_hasStarted, true))
        Q_EMIT started();
    if (!std::exchange(m_hasEnded, true))
        Q_EMIT ended(status);
}

QProcessEnvironment slurmTaskEnvironment(pid_t pid)
{
    QProcessEnvironment environment = startEnvironment(pid);
    bool isStep = false;
    environment.value(u"SLURM_STEP_ID"_s).toInt(&isStep); // Too large for the batch script's.
    if (!isStep) {
        environment.remove(u"SLURM_PROCID"_s);
        environment.remove(u"SLURM_LOCALID"_s);
    }
    return environment;
}

} // namespace rankdeck

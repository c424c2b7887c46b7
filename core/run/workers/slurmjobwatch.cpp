#include "run/workers/slurmjobwatch.h"

#include "base/program.h"
#include "run/strays/leftovers.h"

#include <QFileInfo>

#include <csignal>

namespace rankdeck
{

/// Between two questions: each costs the controller of Slurm some work.
constexpr int askMs = 5000;

SlurmJobWatch::SlurmJobWatch(QString id, QObject *parent)
    : QObject(parent)
    , m_id(std::move(id))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(askMs);
    connect(&m_timer, &QTimer::timeout, this, &SlurmJobWatch::ask);
    for (QProcess *process : {&m_scontrol, &m_sacct, &m_scancel})
        process->setProcessEnvironment(withoutLibraries());
    connect(&m_scontrol, &QProcess::finished, this, &SlurmJobWatch::take);
    connect(&m_sacct, &QProcess::finished, this, &SlurmJobWatch::takeHistory);
    connect(&m_scontrol, &QProcess::errorOccurred, &m_timer, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            m_timer.start();
    });
    connect(&m_scancel, &QProcess::finished, this, [this] {
        const QByteArray errors = m_scancel.readAllStandardError();
        if (!errors.isEmpty())
            Q_EMIT noted(
                Sentence::tr("The Slurm job %1 was not cancelled: %2").arg(m_id, lastLineOf(errors)));
    });
    connect(&m_sacct, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            end({ExitStatus::Kind::Unknown, 0});
    });
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
    m_scancel.start(u"scancel"_s, {m_id});
}

void SlurmJobWatch::ask()
{
    m_scontrol.start(u"scontrol"_s, {u"show"_s, u"job"_s, m_id});
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
    m_sacct.start(u"sacct"_s, {u"--allocations"_s, u"--noheader"_s, u"--parsable2"_s,
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

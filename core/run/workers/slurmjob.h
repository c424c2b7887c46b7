#pragma once

#include "base/oneshottimer.h"
#include "base/result.h"
#include "run/process/exitstatus.h"

#include <QProcess>

#include <sys/types.h>

namespace rankdeck
{

/// A job of Slurm, from `scontrol show job`.
struct SlurmJob {
    QString id; ///< The number that the job's processes know, of a task of an array too.
    QString name;
    QString array; ///< The id of the array that it belongs to; empty: none.
    QString tasks; ///< Its number there, or those of all that wait: "1-7".
    QString user;  ///< "bob".
    uid_t userId = 0;
    QString state;    ///< "RUNNING".
    QString exitCode; ///< "3:0": exit code and signal.
    QString command;  ///< The script; empty if there is none.
    QString workDir;
    QString output; ///< The file of standard output …
    QString errors; ///< … and of standard error, perhaps the same.

    bool isPending() const { return state == "PENDING"_L1 || state == "CONFIGURING"_L1; }
    bool hasEnded() const;
    /// Returns how the job ended. Source: sacct(1), job state codes and ExitCode.
    ExitStatus status() const;
};

/// Returns the jobs in the output of `scontrol show job`: several for an array.
QList<SlurmJob> slurmJobsFrom(const QByteArray &text);

/// Returns true if scontrol has answered that Slurm does not know the job.
bool isUnknownToSlurm(const QByteArray &errors);

/// Asks Slurm for a job. Blocks, for seconds if Slurm is slow. Fails if Slurm is not installed on this
/// machine or does not answer, or if it does not know the job; and for a whole array, or a job in it that
/// still waits as part of the array.
Result<SlurmJob> askForSlurmJob(const QString &id);

/// Follows a job of Slurm to its end, by asking Slurm every few seconds.
class SlurmJobWatch : public QObject
{
    Q_OBJECT

public:
    explicit SlurmJobWatch(QString id);
    ~SlurmJobWatch() override;

    void start() { ask(); }
    void stop();
    /// Has Slurm cancel the job, which ends it.
    void cancel();

Q_SIGNALS:
    /// The job has another state by now, a sentence.
    void noted(const rankdeck::Sentence &sentence);
    /// Emitted once when the job runs and has its log, even if it has finished since.
    void started();
    /// Emitted once.
    void ended(const rankdeck::ExitStatus &status);

private:
    void ask();
    void take();
    void takeJob(const SlurmJob &job);
    void askHistory();
    void takeHistory();
    void end(const ExitStatus &status);

    QString m_id;
    QProcess m_scontrol;
    QProcess m_sacct;
    QProcess m_scancel;
    OneShotTimer m_timer{5000}; ///< Between two questions: each costs the controller of Slurm some work.
    QString m_state;
    bool m_hasStarted = false;
    bool m_hasEnded = false;
};

/// Returns the environment with which a process of a job was started. Leaves out the number of a task if the
/// process belongs to the batch script: that number is not a rank.
QProcessEnvironment slurmTaskEnvironment(pid_t pid);

} // namespace rankdeck

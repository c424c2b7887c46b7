#pragma once

#include "base/sentence.h"
#include "run/workers/slurmjob.h"

#include <QProcess>
#include <QTimer>

namespace rankdeck
{

/// Follows a job of Slurm to its end, by asking Slurm every few seconds.
class SlurmJobWatch : public QObject
{
    Q_OBJECT

public:
    explicit SlurmJobWatch(QString id, QObject *parent = nullptr);
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
    QTimer m_timer;
    QString m_state;
    bool m_hasStarted = false;
    bool m_hasEnded = false;
};

/// Returns the environment with which a process of a job was started. Leaves out the number of a task if the
/// process belongs to the batch script: that number is not a rank.
QProcessEnvironment slurmTaskEnvironment(pid_t pid);

} // namespace rankdeck

#pragma once

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
    void noted(const QString &sentence);
    /// The job runs, and has its log. Emitted once, also if it has ended meanwhile.
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

/// Returns what a process of a job was started with, without the number of a task if it belongs to the batch
/// script: that is no rank.
QProcessEnvironment slurmTaskEnvironment(pid_t pid);

} // namespace rankdeck

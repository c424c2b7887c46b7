#pragma once

#include "base/oneshottimer.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launcheroptions.h"

#include <QProcess>

namespace rankdeck
{

/// Asks Slurm for the state of the job that a run is in: an agent that ends or is silent may be Slurm's
/// doing.
class SlurmJobQuestion : public QObject
{
    Q_OBJECT

public:
    /// The job is that of SLURM_JOB_ID when it asks.
    SlurmJobQuestion();
    ~SlurmJobQuestion() override;

    /// Asks, unless it is asking already. answered() is never emitted before this returns.
    void ask();
    /// The same, and waits some seconds for the end of the job if that is ending.
    void askForEnd();
    bool isAsking() const { return m_isAsking; }

Q_SIGNALS:
    /// @param state a word of squeue(1): "RUNNING", "SUSPENDED", "CANCELLED". Empty: there is no answer.
    void answered(const QString &job, const QString &state);

private:
    void start();
    void take();

    QProcess m_squeue;
    OneShotTimer m_again;
    OneShotTimer m_limit;
    QString m_job;
    int m_tries = 0; ///< That are left while the job is ending.
    bool m_isAsking = false;
};

/// Nodes that Slurm grants to a run for as long as it lasts. salloc keeps them, and returns them when its
/// standard input ends or it gets SIGTERM, which the kernel sends when this process dies for any reason.
class Allocation : public QObject
{
    Q_OBJECT

public:
    /// @param options for further words for salloc, and the limit for a grant.
    Allocation(AllocationRequest request, NodeOptions options);
    ~Allocation() override;

    void start();
    /// Returns the nodes, or withdraws the request; ended() is emitted when Slurm knows.
    void release();
    /// Asked for and neither granted nor refused yet.
    bool isWaiting() const { return m_isOpen && !m_isGranted; }
    bool isOpen() const { return m_isOpen; } ///< Slurm holds something for us, or may come to.

Q_SIGNALS:
    /// `pid` is salloc's, `job` the job's number, empty until Slurm has said it.
    void identified(qint64 pid, const QString &job);
    void noted(const rankdeck::Sentence &sentence);
    /// Emitted when SLURM_JOB_ID of this process is the job's. `nodes` is a list in Slurm's own short form.
    void granted(const QString &nodes);
    /// Emitted if the request was not granted; ended() follows.
    void refused(const rankdeck::Error &problem);
    void ended();

private:
    QStringList arguments() const;
    void readWords();
    void readGrant();
    void askHowItGoes();
    void sallocEnded();
    void conclude();

    AllocationRequest m_request;
    NodeOptions m_options;
    QProcess m_salloc;
    QProcess m_squeue;
    QProcess m_scancel;
    OneShotTimer m_limit;   ///< Limit first for the grant, then for the end.
    OneShotTimer m_inquiry; ///< While it is waited for.
    QByteArray m_words;
    QByteArray m_output;
    QString m_job;
    QString m_lastNote;
    bool m_isOpen = false;
    bool m_isGranted = false;
    bool m_isReleased = false;
    bool m_isTooLate = false;
};

/// Cancels Slurm's `job`, in case it still has nodes, and waits for the answer, 10 s at most.
void cancelSlurmJob(const QString &job);

} // namespace rankdeck

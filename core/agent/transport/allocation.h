#pragma once

#include "base/oneshottimer.h"
#include "launch/plan/launchplan.h"
#include "launch/spec/launcheroptions.h"

#include <QProcess>

namespace rankdeck
{

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

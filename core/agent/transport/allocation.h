#pragma once

#include "launch/plan/launchplan.h"

#include <QProcess>
#include <QTimer>

namespace rankdeck
{

/// Nodes that Slurm gives to a run for as long as it lasts. salloc holds them, and gives them back when its
/// standard input ends or it gets SIGTERM, which it does when this process dies, whatever of.
class Allocation : public QObject
{
    Q_OBJECT

public:
    /// @param options for what salloc is told besides, and how long a grant may take.
    Allocation(AllocationRequest request, NodeOptions options, QObject *parent = nullptr);
    ~Allocation() override;

    /// Ask for it.
    void start();
    /// Give it back, or do not want it any more; ended() comes when Slurm has been told.
    void release();
    /// Asked for and neither granted nor refused yet.
    bool isWaiting() const { return m_isOpen && !m_isGranted; }
    /// Slurm holds something for us, or may come to.
    bool isOpen() const { return m_isOpen; }

Q_SIGNALS:
    /// `pid` is salloc's, `job` the job's number, empty until Slurm has said it.
    void identified(qint64 pid, const QString &job);
    /// How it goes, a sentence.
    void noted(const QString &sentence);
    /// From now on SLURM_JOB_ID in the environment of this process says it. `nodes` is a list in Slurm's own
    /// short form.
    void granted(const QString &nodes);
    /// It has not been granted; ended() follows.
    void refused(const rankdeck::Error &problem);
    void ended();

private:
    QStringList arguments() const;
    void readWords();
    void readGrant();
    void askHowItGoes();
    void sallocEnded();
    void cancelJob();
    void conclude();

    AllocationRequest m_request;
    NodeOptions m_options;
    QProcess m_salloc;
    QProcess m_squeue;
    QProcess m_scancel;
    QTimer m_limit;   ///< Of the grant; then of the end.
    QTimer m_inquiry; ///< While it is waited for.
    QByteArray m_words;
    QByteArray m_output;
    QString m_job;
    QString m_lastNote;
    bool m_isOpen = false;
    bool m_isGranted = false;
    bool m_isReleased = false;
    bool m_isTooLate = false;
};

/// Tell Slurm that `job` is not wanted any more, in case it still holds something for it, and wait for the
/// answer, 10 s at most.
void cancelSlurmJob(const QString &job);

} // namespace rankdeck

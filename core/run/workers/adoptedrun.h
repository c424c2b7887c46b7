#pragma once

#include "base/oneshottimer.h"
#include "run/workers/rankfinder.h"
#include "run/workers/slurmjob.h"

#include <memory>

namespace rankdeck
{

/// Returns what a kill of an adopted process ends: it, everything below it, and its ranks, wherever they are.
/// Never process 1, a program of Rankdeck, or what is above this process or above such a program.
/// @param top pid 0: it has ended.
std::vector<ProcessInfo> killedWith(const ProcessInfo &top, const std::vector<ProcessInfo> &ranks);

/// Watches a process or a job of Slurm that somebody started outside Rankdeck, the first of the plan, and its
/// ranks on this node. It is never signalled but on request, and neither are they. The end of a process is
/// seen, but not its exit code; Slurm tells that of a job.
class AdoptedRun : public QObject
{
    Q_OBJECT

public:
    /// @param plan was adopted.
    explicit AdoptedRun(const LaunchPlan &plan);

    void start();
    /// Watches no more, and leaves all as it is.
    void detach() { end(); }
    /// SIGKILL to all of killedWith(); Slurm cancels a job. The user has asked for it.
    void kill();
    /// As those of RankFinder, of the process itself too.
    void name(int process, const ProcessPlan &plan, qint64 pid) { m_finder->name(process, plan, pid); }
    qint64 pidOf(int process) const;
    SignalTarget targetOf(int process);
    void killProcesses(const QList<int> &processes);

Q_SIGNALS:
    void happened(const rankdeck::RunEvent &event);
    /// The process and all ranks have ended, or are watched no more. Emitted once.
    void done();

private:
    void watchJob(const QString &id);
    void look();
    void takeTopEnd(ExitStatus status);
    bool isTop(int process) const { return process == 0; }
    void reportStart() { Q_EMIT happened(RunEvent::now(events::ProcessStarted{0, m_top.pid})); }
    void end();

    ProcessInfo m_top; ///< As it was adopted; pid 0 for a job.
    std::unique_ptr<SlurmJobWatch> m_job;
    std::unique_ptr<RankFinder> m_finder;
    OneShotTimer m_limit; ///< For a kill.
    HoldWatch m_holds;
    SentSignals m_sent;
    bool m_hasTopEnded = false;
    bool m_isDone = false;
};

} // namespace rankdeck

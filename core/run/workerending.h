#pragma once

#include "launch/launchplan.h"
#include "run/strays.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <set>
#include <vector>

namespace rankdeck
{

class Worker;

/// Ends one worker with everything that it started while other workers go on: SIGTERM, grace, SIGKILL. What
/// it started is what lives below it or in a session of these, and orphans with its variables; who has been
/// seen once stays known when its parents have gone. This process must be a child subreaper.
class WorkerEnding : public QObject
{
    Q_OBJECT

public:
    /// @param worker must outlive this.
    /// @param plan the worker's.
    WorkerEnding(Worker &worker, ProcessPlan plan, QObject *parent = nullptr);

    /// SIGTERM now and SIGKILL after the grace; changes nothing when that has been begun. 0 s: kill().
    void stop(int graceSeconds);
    void kill();
    /// A child of this process ended, maybe one of the worker's. Call it on SIGCHLD.
    void childEnded();

Q_SIGNALS:
    /// A process besides the worker's own group got this signal.
    void signalled(const rankdeck::ProcessInfo &process, int number);
    /// It hangs in the kernel and is left there.
    void failedToKill(const rankdeck::ProcessInfo &process);

private:
    std::vector<ProcessInfo> findMembers(Reach reach);
    bool isOrphanOfWorker(const ProcessInfo &process);
    void signalAll();
    void sweep(Reach reach);
    void giveUp();
    void finish();

    Worker &m_worker;
    ProcessPlan m_plan;
    int m_signal = 0; ///< The last one sent; 0: none yet.
    bool m_done = false;
    QTimer m_grace;
    QTimer m_look;
    QTimer m_deeper;
    QTimer m_unkillable;
    std::map<pid_t, quint64> m_known;              ///< With their start times.
    std::map<pid_t, quint64> m_others;             ///< Children of this process that are not the worker's.
    std::set<std::pair<pid_t, quint64>> m_unclear; ///< Such whose variables could not be seen.
    std::set<std::pair<pid_t, int>> m_told;        ///< Who had which signal.
};

} // namespace rankdeck

#pragma once

#include "run/processtree.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <map>
#include <set>
#include <vector>

namespace rankdeck
{

class Worker;

/// Ends one worker with everything that it started while other workers go on: SIGTERM, grace, SIGKILL. What
/// it started is what lives below it or in a session of these; who has been seen once stays known when its
/// parents have gone. This process must be a child subreaper.
class WorkerEnding : public QObject
{
    Q_OBJECT

public:
    /// @param worker must outlive this.
    explicit WorkerEnding(Worker &worker, QObject *parent = nullptr);

    /// SIGTERM now and SIGKILL after the grace; changes nothing when that has been begun. 0 s: kill().
    void stop(int graceSeconds);
    void kill();
    /// Look after what the worker leaves. Call it when a child of this process has ended.
    void look();

Q_SIGNALS:
    /// A process besides the worker's own group got this signal.
    void signalled(const rankdeck::ProcessInfo &process, int number);
    /// It hangs in the kernel and is left there.
    void failedToKill(const rankdeck::ProcessInfo &process);

private:
    std::vector<ProcessInfo> findMembers();
    void signalAll();
    void sweep();

    Worker &m_worker;
    int m_signal = 0; ///< The last one sent; 0: none yet.
    bool m_done = false;
    QTimer m_grace;
    QTimer m_sweepTimer;
    QElapsedTimer m_sinceKill;
    std::map<pid_t, quint64> m_known;       ///< With their start times.
    std::set<std::pair<pid_t, int>> m_told; ///< Who had which signal.
};

} // namespace rankdeck

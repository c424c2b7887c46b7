#pragma once

#include "run/exitstatus.h"
#include "run/strays.h"

#include <QObject>
#include <QTimer>

#include <set>

namespace rankdeck
{

/// Ends everything that lives below this process, at once, and reaps it. This process must be a child
/// subreaper.
class StrayKiller : public QObject
{
    Q_OBJECT

public:
    explicit StrayKiller(QObject *parent = nullptr);

    /// Begin. May emit done() before it returns.
    void start();
    /// A child of this process ended. Call it on SIGCHLD; nothing happens before start().
    void childEnded();

Q_SIGNALS:
    /// A child of this process, or one that came to it, has ended.
    void reaped(qint64 pid, const rankdeck::ExitStatus &status);
    /// Told once for each process.
    void killed(const rankdeck::ProcessInfo &stray);
    /// It hangs in the kernel or is another user's and is left there; done() follows.
    void failedToKill(const rankdeck::ProcessInfo &stray);
    /// Emitted once.
    void done();

private:
    void sweep(Reach reach);
    void giveUp();
    void finish();

    QTimer m_look;
    QTimer m_deeper;
    QTimer m_limit;
    std::set<pid_t> m_told;
};

} // namespace rankdeck

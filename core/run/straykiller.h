#pragma once

#include "run/exitstatus.h"
#include "run/processtree.h"

#include <QElapsedTimer>
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

Q_SIGNALS:
    /// A child of this process, or one that came to it, has ended.
    void reaped(qint64 pid, const rankdeck::ExitStatus &status);
    /// Told once for each process.
    void killed(const rankdeck::ProcessInfo &stray);
    /// It hangs in the kernel and is left there; done() follows.
    void failedToKill(const rankdeck::ProcessInfo &stray);
    void done();

private:
    void sweep();

    QTimer m_timer;
    QElapsedTimer m_sinceStart;
    std::set<pid_t> m_told;
};

} // namespace rankdeck

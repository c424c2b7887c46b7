#pragma once

#include "agent/supervise/runbook.h"

#include <QTimer>

namespace rankdeck
{

/// How long a scheduler may outlive all workers: for the grace period of the plan. One whose workers run on
/// other nodes too is left alone, which is noted.
class SchedulerLimit : public QObject
{
    Q_OBJECT

public:
    /// @param book must live as long as this object does.
    explicit SchedulerLimit(RunBook &book);

    /// Call it when a process has ended.
    void look();
    /// A worker is started again.
    void stop() { m_timer.stop(); }

Q_SIGNALS:
    /// @param why a sentence for the journal.
    void over(const QString &why);

private:
    RunBook &m_book;
    QTimer m_timer;
};

} // namespace rankdeck

#include "agent/supervise/schedulerlimit.h"

namespace rankdeck
{

/// Returns true if all workers of the plan have ended, and a scheduler has not.
static bool isOnlySchedulerAlive(const LaunchPlan &plan, const RunState &state)
{
    bool schedulerIsAlive = false;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        const bool isAlive = !state.ranks[index].status;
        if (isAlive && plan.processes[index].role != Role::Scheduler)
            return false;
        schedulerIsAlive = schedulerIsAlive || isAlive;
    }
    return schedulerIsAlive;
}

SchedulerLimit::SchedulerLimit(RunBook &book)
    : m_book(book)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, [this] {
        Q_EMIT over(tr("All workers have ended, but %1 s later the scheduler has not. It is ended now.")
                        .arg(m_book.record().plan.graceSeconds));
    });
}

void SchedulerLimit::look()
{
    const LaunchPlan &plan = m_book.record().plan;
    const RunState &state = m_book.state();
    if (m_timer.isActive() || state.phase == RunPhase::Stopping || !isOnlySchedulerAlive(plan, state))
        return;
    const auto workers = std::count_if(plan.processes.begin(), plan.processes.end(),
                                       [](const auto &process) { return process.role != Role::Scheduler; });
    if (workers >= plan.worldSize()) {
        m_timer.start(plan.graceSeconds * 1000);
        return;
    }
    m_book.note(tr(
        "The workers of this node have ended. The scheduler continues: workers of other nodes may need it."));
}

} // namespace rankdeck

#include "failure/failuretext.h"

#include "diagnosis/exitwords.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

struct FailureText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::FailureDialog)
};

} // namespace

QString failureHeadline(const Failure &failure)
{
    if (failure.rank == Failure::noRank)
        return FailureText::tr("The run failed");
    const bool neverStarted = failure.status.kind == ExitStatus::Kind::NotStarted;
    if (failure.role == Role::Scheduler)
        return neverStarted ? FailureText::tr("The scheduler could not be started")
                            : FailureText::tr("The scheduler failed first");
    if (neverStarted)
        return FailureText::tr("Rank %1 could not be started").arg(failure.rank.value);
    return FailureText::tr("Rank %1 failed first").arg(failure.rank.value);
}

QString failurePlace(const Failure &failure)
{
    if (failure.rank == Failure::noRank)
        return {};
    QString place;
    if (failure.role == Role::Scheduler)
        place = FailureText::tr("scheduler");
    else if (failure.device != ProcessPlan::noDevice)
        place = FailureText::tr("device %1").arg(failure.device.value);
    if (!failure.node.isEmpty())
        place = place.isEmpty() ? FailureText::tr("on %1", "node").arg(failure.node)
                                : FailureText::tr("%1 on %2", "device on node").arg(place, failure.node);
    if (failure.pid > 0)
        place = FailureText::tr("%1, pid %2", "device on node, process").arg(place).arg(failure.pid);
    return place;
}

QString failureCause(const Failure &failure)
{
    if (failure.rank == Failure::noRank)
        return failure.reason;
    const QString cause = describeExit(failure.status);
    return failure.reason.isEmpty()
               ? cause
               : FailureText::tr("%1 (%2)", "how it ended, reason").arg(cause, failure.reason);
}

int failedProcess(const RunState &state)
{
    if (!state.plan || !state.failure || state.failure->rank == Failure::noRank)
        return -1;
    for (size_t process = 0; process < state.plan->processes.size(); ++process) {
        const ProcessPlan &plan = state.plan->processes[process];
        const QString &log = state.failure->logFile;
        if (plan.rank == state.failure->rank && (plan.logFile == log || plan.stderrFile == log))
            return int(process);
    }
    return -1;
}

} // namespace rankdeck

#include "failure/failuretext.h"

#include "diagnosis/exitwords.h"
#include "state/statewords.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

struct FailureText {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::FailureDialog)
};

bool isUnseen(const RankState &rank)
{
    return rank.phase == RankPhase::Ended && !rank.status;
}

QString fateWord(RankPhase phase)
{
    if (phase == RankPhase::Waiting)
        return FailureText::tr("never started");
    return phase == RankPhase::Running ? FailureText::tr("still running") : shownWord(phase);
}

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
    QString place;
    if (failure.role == Role::Scheduler)
        place = FailureText::tr("scheduler");
    else if (failure.rank != Failure::noRank && failure.device != ProcessPlan::noDevice)
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

QString runEnding(const RunState &state)
{
    constexpr std::array phases{RankPhase::Failed, RankPhase::Ended,   RankPhase::Stopped,
                                RankPhase::Exited, RankPhase::Running, RankPhase::Waiting};
    QStringList fates;
    for (const RankPhase phase : phases) {
        int count = 0;
        for (const RankState &rank : state.ranks)
            count += rank.phase == phase && !isUnseen(rank) ? 1 : 0;
        if (count > 0)
            fates << FailureText::tr("%1 %2", "number, state").arg(count).arg(fateWord(phase));
    }
    const auto unseen = std::count_if(state.ranks.begin(), state.ranks.end(), isUnseen);
    if (unseen > 0)
        fates << FailureText::tr("%1 that nobody saw end").arg(unseen);

    QStringList sentences;
    // When a supervisor was lost is in the cause.
    if (state.ended.isValid() && state.phase != RunPhase::Lost)
        sentences << FailureText::tr("Over since %1.")
                         .arg(state.ended.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")));
    if (!fates.isEmpty())
        sentences << FailureText::tr("Its processes: %1.").arg(fates.join(QStringLiteral(", ")));
    if (unseen > 0)
        sentences << FailureText::tr("If some of them are still alive, \"rankdeckctl stop %1\" ends them.")
                         .arg(state.name);
    return sentences.join(QLatin1Char(' '));
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

#include "failure/failuretext.h"

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

QString failureHeadline(const Verdict &verdict, const Failure &failure)
{
    if (verdict.rule == QLatin1String("launch"))
        return FailureText::tr("The run failed");
    if (verdict.rule == QLatin1String("alike-error"))
        return FailureText::tr("All ranks failed alike");
    if (!verdict.hasRoot())
        return FailureText::tr("Which rank failed first is undecided");
    const bool neverStarted = failure.status.kind == ExitStatus::Kind::NotStarted &&
                              verdict.role == failure.role && verdict.rank == failure.rank;
    if (verdict.role == Role::Scheduler)
        return neverStarted ? FailureText::tr("The scheduler could not be started")
                            : FailureText::tr("The scheduler failed first");
    if (neverStarted)
        return FailureText::tr("Rank %1 could not be started").arg(verdict.rank.value);
    return FailureText::tr("Rank %1 failed first").arg(verdict.rank.value);
}

QString failureCause(const Verdict &verdict)
{
    QStringList parts{verdict.cause.isEmpty() ? verdict.known.title : verdict.cause, verdict.ending};
    parts += verdict.notes;
    parts.removeAll(QString());
    parts.removeDuplicates();
    return parts.join(QLatin1Char('\n'));
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
    const auto &processes = state.plan->processes;
    const auto found = std::find_if(processes.begin(), processes.end(), [&](const ProcessPlan &process) {
        return process.rank == state.failure->rank && process.role == state.failure->role;
    });
    return found == processes.end() ? -1 : int(found - processes.begin());
}

} // namespace rankdeck

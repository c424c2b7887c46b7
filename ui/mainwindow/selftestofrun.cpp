#include "mainwindow/selftestofrun.h"

#include "state/statewords.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

/// Also one whose end was seen after that of a rank that waited for it.
bool hasFailed(const RankState &rank)
{
    return rank.phase == RankPhase::Failed || (rank.phase == RankPhase::Ended && rank.status &&
                                               rank.status->kind == ExitStatus::Kind::Signalled);
}

} // namespace

SelfTestResults withFailures(SelfTestResults results, const RunState &state)
{
    const std::size_t processes = state.plan ? std::min(state.plan->processes.size(), state.ranks.size()) : 0;
    for (std::size_t at = 0; at < processes; ++at) {
        const ProcessPlan &process = state.plan->processes[at];
        const int rank = process.rank.value;
        if (process.role != Role::Worker || rank < 0 || rank >= results.ranks.size() ||
            !hasFailed(state.ranks[at]))
            continue;
        SelfTestResults::RankState &its = results.ranks[rank];
        const QString how = state.ranks[at].status ? state.ranks[at].status->text() : QString();
        its.text = its.text.isEmpty() || how.isEmpty() ? its.text + how
                                                       : QStringLiteral("%1 (%2)").arg(its.text, how);
        if (its.stage != SelfTestStage::Failed && its.text.isEmpty())
            its.text = shownWord(RankPhase::Failed);
        its.stage = SelfTestStage::Failed;
    }
    return results;
}

RankNames rankNames(const LaunchPlan &plan)
{
    RankNames names;
    for (const ProcessPlan &process : plan.processes) {
        const int rank = process.rank.value;
        if (process.role != Role::Worker || rank < 0)
            continue;
        names.nodes.resize(std::max<qsizetype>(names.nodes.size(), rank + 1));
        names.nodes[rank] = process.node;
    }
    if (std::all_of(names.nodes.cbegin(), names.nodes.cend(),
                    [&](const QString &node) { return node == names.nodes.constFirst(); }))
        names.nodes.clear();
    return names;
}

} // namespace rankdeck

#include "diagnosis/verdict/firstsight.h"

#include "diagnosis/exitwords.h"
#include "diagnosis/failurereport.h"

#include <algorithm>

namespace rankdeck
{

namespace
{

int processOf(const RunState &state, const Failure &failure)
{
    const auto &processes = state.plan->processes;
    const auto found = std::find_if(processes.begin(), processes.end(), [&](const ProcessPlan &process) {
        return process.rank == failure.rank && process.role == failure.role;
    });
    return found == processes.end() ? -1 : static_cast<int>(found - processes.begin());
}

} // namespace

Verdict firstSight(const RunState &state, const ErrorCatalogue *catalogue, const QLocale &locale)
{
    Verdict verdict;
    verdict.exits = exitsOf(state);
    if (!state.failure)
        return verdict;
    const Failure &failure = *state.failure;
    verdict.hasFailure = true;
    verdict.node = failure.node;
    verdict.pid = failure.pid;
    verdict.trace = failure.traceback;
    verdict.advice = failureAdvice(failure);
    if (catalogue)
        verdict.known = explainFailure(failure, *catalogue, locale);
    verdict.causeId = verdict.known.id;
    if (failure.rank == Failure::noRank) {
        verdict.rule = QStringLiteral("launch");
        verdict.confidence = Verdict::Confidence::Certain;
        verdict.cause = failure.reason;
        return verdict;
    }
    verdict.rule = QStringLiteral("first-seen");
    verdict.confidence = Verdict::Confidence::Likely;
    verdict.process = processOf(state, failure);
    verdict.role = failure.role;
    verdict.rank = failure.role == Role::Worker ? failure.rank : Failure::noRank;
    verdict.device = failure.device;
    verdict.ending = describeExit(failure.status);
    verdict.cause = verdict.ending;
    if (!failure.reason.isEmpty())
        verdict.notes << failure.reason;
    if (verdict.causeId.isEmpty())
        verdict.causeId = exitEntry(failure.status);
    return verdict;
}

std::vector<Verdict::Exit> exitsOf(const RunState &state)
{
    std::vector<Verdict::Exit> exits;
    if (hasLogsAlone(state.phase))
        return exits;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        const ProcessPlan &process = state.plan->processes[index];
        exits.push_back({static_cast<int>(index), process.role, process.rank, rank.ended,
                         rank.status ? rank.status->text() : phaseWord(rank.phase)});
    }
    std::stable_sort(exits.begin(), exits.end(), [](const Verdict::Exit &one, const Verdict::Exit &other) {
        return one.when.isValid() && (!other.when.isValid() || one.when < other.when);
    });
    return exits;
}

} // namespace rankdeck

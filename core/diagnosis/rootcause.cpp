#include "diagnosis/rootcause.h"

#include "diagnosis/errorfile.h"
#include "diagnosis/failurereport.h"
#include "launch/processes.h"

#include <QDateTime>

#include <utility>

namespace rankdeck
{

namespace
{

std::optional<ErrorFile> errorFileOf(const ProcessPlan &process)
{
    const QString path = process.setVariables.value(QLatin1String(errorFileVariable));
    return path.isEmpty() ? std::nullopt : readErrorFile(path);
}

bool hasErrorFiles(const LaunchPlan &plan)
{
    return plan.launcher == QLatin1String("processes");
}

void add(Failure &failure, const ErrorFile &file)
{
    failure.reason = file.message;
    failure.traceback = file.traceback;
}

} // namespace

std::optional<Failure> rootCause(const RunState &state)
{
    const LaunchPlan &plan = *state.plan;
    if (!hasErrorFiles(plan))
        return std::nullopt;
    struct Candidate {
        std::size_t index = 0;
        double time = 0;
        QDateTime seen;
        std::optional<ErrorFile> file;
    };
    std::optional<Candidate> first;
    for (std::size_t index = 0; index < state.ranks.size(); ++index) {
        const RankState &rank = state.ranks[index];
        if (!rank.status || rank.status->isSuccess())
            continue;
        Candidate candidate{index, 0, rank.ended, errorFileOf(plan.processes[index])};
        if (rank.phase != RankPhase::Failed && !candidate.file)
            continue;
        candidate.time = candidate.file && candidate.file->timestamp
                             ? *candidate.file->timestamp
                             : static_cast<double>(rank.ended.toMSecsSinceEpoch()) / 1000;
        if (!first || std::pair(candidate.time, candidate.seen) < std::pair(first->time, first->seen))
            first = candidate;
    }
    if (!first)
        return std::nullopt;
    const RankState &rank = state.ranks[first->index];
    Failure failure = failureOf(plan, static_cast<int>(first->index), rank.pid, *rank.status, {});
    if (first->file)
        add(failure, *first->file);
    return failure;
}

void addErrorFile(Failure &failure, const ProcessPlan &process)
{
    if (const auto file = errorFileOf(process))
        add(failure, *file);
}

} // namespace rankdeck

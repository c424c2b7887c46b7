#include "diagnosis/rootcause.h"

#include "diagnosis/errorfile.h"
#include "diagnosis/failurereport.h"
#include "diagnosis/schedulerfailure.h"
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

/// A log that is copied from another node comes later than the news of its process.
void readCopiedLogAgain(Failure &failure, const LaunchPlan &plan)
{
    const auto process = std::find_if(plan.processes.begin(), plan.processes.end(), [&](const auto &each) {
        return each.role == failure.role && each.rank == failure.rank;
    });
    if (process == plan.processes.end() || process->copiedFrom.isEmpty())
        return;
    const Failure now = failureOf(plan, static_cast<int>(process - plan.processes.begin()), failure.pid,
                                  failure.status, failure.reason);
    failure.logFile = now.logFile;
    failure.logTail = now.logTail;
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
        if (!rank.status || rank.status->isSuccess() || rank.stopRequested)
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

Failure settledFailure(const RunState &state, const Failure &first)
{
    Failure settled = first;
    if (first.rank == Failure::noRank) {
        readLogAgain(settled);
        return settled;
    }
    if (const auto cause = rootCause(state)) {
        if (cause->rank != first.rank || !cause->reason.isEmpty())
            settled = *cause;
    } else if (first.role == Role::Worker && first.reason.isEmpty()) {
        settled.reason = missingWorkersReason(state);
    }
    readCopiedLogAgain(settled, *state.plan);
    return settled;
}

Failure failureAt(const RunState &state, const RunEvent &event)
{
    const ProcessPlan &process = state.plan->processes.at(static_cast<std::size_t>(event.process));
    QString reason;
    if (event.kind == RunEvent::Kind::ProcessNotStarted)
        reason = event.text;
    else if (process.role == Role::Scheduler)
        reason = schedulerFailureReason(state, event.process);
    Failure failure = failureOf(*state.plan, event.process, event.pid, *event.status, reason);
    if (const auto file = errorFileOf(process))
        add(failure, *file);
    return failure;
}

} // namespace rankdeck

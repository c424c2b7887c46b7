#include "agent/supervise/runbook.h"

#include "diagnosis/failure/failurereport.h"
#include "run/record/journal.h"
#include "run/record/logindex.h"
#include "run/record/rundirectory.h"

namespace rankdeck
{

RunBook::RunBook(QString directory)
    : m_directory(std::move(directory))
{
}

RunBook::~RunBook() = default;

std::optional<Error> RunBook::open()
{
    const auto loaded = readRunRecord(m_directory);
    if (!loaded)
        return loaded.error();
    m_record = *loaded;
    if (!isLive(m_record.phase) || m_record.supervisor)
        return Error{tr("this run already had a supervisor"), m_directory, {}};
    claimRun(m_directory, {thisSupervisor()});
    if (const auto claim = claimOf(m_directory); claim && claim->supervisor != thisSupervisor())
        return Error{tr("the run was given up before its supervisor came"), m_directory, {}};
    m_state.setPlan(m_record.plan);
    m_journal = std::make_unique<Journal>(m_directory);
    if (!m_journal->isOpen())
        return Error{tr("the journal cannot be written"), m_directory, {}};
    return std::nullopt;
}

void RunBook::replacePlan(const LaunchPlan &plan)
{
    m_record.plan = plan;
    m_state.replacePlan(plan);
    save();
}

void RunBook::write(const RunEvent &event)
{
    m_journal->append(event);
    m_state.apply(event);
    const Sentence stall = m_state.standstill();
    if (std::exchange(m_record.stall, stall) != stall)
        m_isSaved = false; // By the next saveIfNeeded().
    if (m_record.phase != m_state.phase) {
        m_record.phase = m_state.phase;
        m_isSaved = false;
        // Saving is delayed until every rank runs, because the record of a large run is long.
        if (m_record.phase != RunPhase::Running)
            save();
    }
    Q_EMIT written(event);
}

void RunBook::renumber(const LaunchPlan &numbered)
{
    LaunchPlan plan = m_record.plan;
    std::optional<Failure> failure = m_record.failure;
    for (std::size_t index = 0; index < plan.processes.size(); ++index) {
        ProcessPlan &process = plan.processes[index];
        const ProcessPlan &its = numbered.processes[index];
        if (failure && failure->role == process.role && failure->rank == m_state.plan->processes[index].rank)
            m_record.failure->rank = its.rank;
        process.rank = its.rank;
        process.isRankOpen = its.isRankOpen;
        process.startedAs = its.startedAs;
    }
    replacePlan(plan);
    write(events::Planned());
}

void RunBook::fail(const std::optional<Failure> &failure)
{
    m_record.failure = failure;
    save();
    write(events::FailureRecorded());
}

void RunBook::indexLogs()
{
    if (const auto error = rankdeck::indexLogs(m_record, m_directory))
        note(Sentence(error->sentence()));
}

void RunBook::settleFailure()
{
    if (!m_record.failure)
        return;
    m_firstFailure = m_record.failure;
    const Failure settled = settledFailure(m_state, *m_record.failure);
    if (settled == *m_record.failure)
        return;
    if (settled.rank != m_record.failure->rank)
        note(Sentence::tr("Rank %1 failed before rank %2, by the time in its error.json.")
                 .arg(settled.rank.value)
                 .arg(m_record.failure->rank.value));
    fail(settled);
}

void RunBook::save()
{
    const auto error = writeRunRecord(m_directory, m_record);
    m_isSaved = !error;
    const QString problem = error ? error->sentence() : QString();
    if (std::exchange(m_problem, problem) != problem && error)
        qWarning("%s", qUtf8Printable(problem));
}

void RunBook::saveIfNeeded()
{
    if (!m_isSaved || !hasRunRecord(m_directory))
        save();
    keepRoomForRunRecord(m_directory);
}

int RunBook::codeOf(const Failure &failure, int named) const
{
    return codeOfFailure(m_state, named, failure, m_firstFailure.value_or(failure));
}

void RunBook::finish(RunPhase phase, int exitCode)
{
    const RunEvent event = RunEvent::now(events::Finished{phase, exitCode});
    m_record.ended = event.wall;
    m_record.exitCode = exitCode;
    m_record.phase = phase;
    // Before the last line of the journal: a reader of that line must find the finished record.
    save();
    giveBackRoomForRunRecord(m_directory);
    write(event);
    unmarkLive(m_directory);
}

} // namespace rankdeck

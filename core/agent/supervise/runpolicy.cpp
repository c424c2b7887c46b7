#include "agent/supervise/runpolicy.h"

#include "launch/plan/launchplan.h"
#include "run/record/failure.h"

#include <algorithm>
#include <csignal>

namespace rankdeck
{

namespace
{

using Phase = ProcessLife::Phase;
using Next = ProcessLife::Next;

/// One step of runPolicy().
class PolicyStep
{
public:
    explicit PolicyStep(PolicyState &state)
        : m_state(state)
    {
    }

    PolicyEffects takeEffects() { return std::move(m_effects); }

    void operator()(const heard::Planned &event);
    void operator()(const heard::ProcessStarted &event);
    void operator()(const heard::ProcessEnded &event);
    void operator()(const heard::ProcessSurvived &event);
    void operator()(const heard::EndOrdered &event);
    void operator()(const heard::StartRefused &event);
    void operator()(const heard::StartsForgotten &event);
    void operator()(const heard::StartRequested &event);
    void operator()(const heard::EndRequested &event);
    void operator()(const heard::StopRequested &event) { stop(event.isKill, event.why); }
    void operator()(const heard::CallerEnded &event);
    void operator()(const heard::HookFailed &event);
    void operator()(const heard::LaunchRefused &event);
    void operator()(const heard::AgentEnds &event);
    void operator()(const heard::AgentLost &event);
    void operator()(const heard::SchedulerOverdue &event) { tearDown(effect::TearDown{event.why}); }
    void operator()(const heard::EvidenceTaken &event);
    void operator()(const heard::AllEnded &event);
    void operator()(const heard::NodesReleased &event);
    void operator()(const heard::Judged &event);

private:
    void add(PolicyEffect effect) { m_effects.push_back(std::move(effect)); }
    ProcessLife *lifeOf(int process);
    const ProcessPlan &planOf(int process) const { return m_state.plan->processes[std::size_t(process)]; }
    bool isEnding() const { return m_state.isStopping || m_state.held; }
    bool isJudgedByCommand(const ProcessEnd &end) const;
    bool isOnlySchedulerAlive() const;
    void limitScheduler();
    void unlimitScheduler();
    void fail(const ProcessEnd &end, bool hadRun);
    void forgetFailure();
    void failNode(const QString &node, const Sentence &reason, int exitCode = 1);
    bool hasFailedAfter(const QString &node, const QDateTime &since) const;
    void tearDown(PolicyEffect order);
    void stop(bool isKill, const Sentence &why);
    void rememberStop(bool isKill);
    int stopCode() const;
    void startAttempt();
    void lookAtSurvivor();
    void lookAtLastLives();
    void finish(const std::optional<int> &failureCode);

    PolicyState &m_state;
    PolicyEffects m_effects;
};

ProcessLife *PolicyStep::lifeOf(int process)
{
    const auto index = static_cast<std::size_t>(process);
    return process >= 0 && index < m_state.lives.size() ? &m_state.lives[index] : nullptr;
}

void PolicyStep::operator()(const heard::Planned &event)
{
    m_state.plan = event.plan;
    m_state.lives.resize(event.plan->processes.size());
}

void PolicyStep::operator()(const heard::ProcessStarted &event)
{
    ProcessLife *life = lifeOf(event.process);
    if (!life)
        return;
    life->phase = Phase::Running;
    life->hasRun = true;
    life->hasFailed = false;
    life->end.reset();
    if (!event.isAgain)
        return;
    life->isEndRequested = false;
    unlimitScheduler();
    const Next next = std::exchange(life->next, Next::Nothing);
    if (next == Next::Stop || next == Next::Kill)
        add(effect::EndProcesses{{event.process}, next == Next::Kill});
    // What is torn down has failed, whatever starts in the meantime.
    if (m_state.failed == event.process && !m_state.isTornDown && !m_state.held)
        forgetFailure();
}

void PolicyStep::operator()(const heard::ProcessEnded &event)
{
    const ProcessEnd &end = event.end;
    ProcessLife *life = lifeOf(end.process);
    if (!life)
        return;
    if (m_state.survivor && m_state.survivor->end.pid == end.pid)
        m_state.survivor.reset();
    const bool hadRun = life->hasRun;
    if (end.isNotStarted() && hadRun) // It was to be started again.
        life->isEndRequested = std::exchange(life->next, Next::Nothing) >= Next::Stop;
    const bool isFailure = !end.status.isSuccess() && !m_state.isStopping && !life->isEndRequested;
    life->phase = Phase::Ended;
    life->end = end;
    life->hasFailed = isFailure && end.status.kind != ExitStatus::Kind::Unknown;
    if (isFailure && !m_state.failed && !m_state.restartCause && !isJudgedByCommand(end))
        fail(end, hadRun);
    limitScheduler();
}

/// A rank of a wrapped command is no failure of its own as long as the command may say so, and if nobody saw
/// how it ended.
bool PolicyStep::isJudgedByCommand(const ProcessEnd &end) const
{
    if (!planOf(end.process).isFound)
        return false;
    if (end.status.kind == ExitStatus::Kind::Unknown || m_state.plan->adopted)
        return true;
    const std::vector<ProcessPlan> &all = m_state.plan->processes;
    const auto command = std::ranges::find(all, Role::Console, &ProcessPlan::role);
    return command == all.end() ||
           m_state.lives[static_cast<std::size_t>(command - all.begin())].phase != Phase::Ended;
}

void PolicyStep::fail(const ProcessEnd &end, bool hadRun)
{
    // A process that cannot be started would fail again. One that has run before fails like any other.
    const bool isHopeless = end.isNotStarted() && !hadRun;
    const bool endsAll = m_state.plan->destroyWhenFinished || isHopeless;
    const bool startsAgain = m_state.plan->destroyWhenFinished && !isHopeless &&
                             m_state.attempt < m_state.plan->maxRestarts && stopCode() == 0;
    if (startsAgain)
        m_state.restartCause = end;
    else
        m_state.failed = end.process;
    const effect::TearDownAfter order{end, startsAgain};
    if (endsAll && !isHopeless && m_state.takesEvidence) {
        m_state.held = order;
        add(effect::TakeEvidence{end});
    } else if (endsAll) {
        tearDown(order);
    }
    if (!startsAgain)
        add(effect::RecordFailure{end});
}

/// The process that failed was started again: the one that failed next to it, if any, is the run's failure.
void PolicyStep::forgetFailure()
{
    m_state.failed.reset();
    std::optional<ProcessEnd> first;
    for (const ProcessLife &life : m_state.lives) {
        if (life.hasFailed && (!first || life.end->when < first->when))
            first = life.end;
    }
    if (first)
        m_state.failed = first->process;
    add(effect::RecordFailure{first});
}

void PolicyStep::failNode(const QString &node, const Sentence &reason, int exitCode)
{
    m_state.failed = -1;
    add(effect::RecordNodeFailure{node, reason, exitCode});
}

bool PolicyStep::isOnlySchedulerAlive() const
{
    bool schedulerIsAlive = false;
    for (std::size_t index = 0; index < m_state.lives.size(); ++index) {
        const bool isAlive = m_state.lives[index].phase != Phase::Ended;
        if (isAlive && m_state.plan->processes[index].role != Role::Scheduler)
            return false;
        schedulerIsAlive = schedulerIsAlive || isAlive;
    }
    return schedulerIsAlive;
}

/// A scheduler may outlive all workers for the grace; one whose workers run on other nodes too is left alone.
void PolicyStep::limitScheduler()
{
    if (m_state.isSchedulerLimited || m_state.isStopping || !isOnlySchedulerAlive())
        return;
    const auto workers = std::ranges::count_if(
        m_state.plan->processes, [](const ProcessPlan &process) { return process.role != Role::Scheduler; });
    m_state.isSchedulerLimited = workers >= m_state.plan->worldSize();
    if (m_state.isSchedulerLimited)
        add(effect::LimitScheduler{m_state.plan->graceSeconds});
    else
        add(effect::NoteScheduler{});
}

void PolicyStep::unlimitScheduler()
{
    if (std::exchange(m_state.isSchedulerLimited, false))
        add(effect::UnlimitScheduler{});
}

void PolicyStep::operator()(const heard::ProcessSurvived &event)
{
    if (!m_state.survivor)
        m_state.survivor = event;
}

void PolicyStep::operator()(const heard::EndOrdered &event)
{
    if (ProcessLife *life = lifeOf(event.process))
        life->isEndRequested = true;
}

void PolicyStep::operator()(const heard::StartRefused &event)
{
    if (ProcessLife *life = lifeOf(event.process); life && life->next == Next::Start)
        life->next = Next::Nothing;
}

void PolicyStep::operator()(const heard::StartsForgotten &event)
{
    for (std::size_t index = 0; index < m_state.lives.size(); ++index) {
        ProcessLife &life = m_state.lives[index];
        if (m_state.plan->processes[index].node == event.node && life.next == Next::Start)
            life.next = Next::Nothing;
    }
}

void PolicyStep::operator()(const heard::StartRequested &event)
{
    if (isEnding()) {
        add(effect::RefuseStarts{event.processes});
        return;
    }
    QList<int> asked;
    for (const int process : event.processes) {
        ProcessLife *life = lifeOf(process);
        if (life && std::exchange(life->next, Next::Start) != Next::Start)
            asked << process;
    }
    if (!asked.isEmpty())
        add(effect::StartProcesses{asked});
}

void PolicyStep::operator()(const heard::EndRequested &event)
{
    if (m_state.plan->adopted && !event.isKill) {
        add(effect::RefuseEnds{});
        return;
    }
    QList<int> alive;
    QList<int> notStarted;
    for (const int process : event.processes) {
        ProcessLife *life = lifeOf(process);
        if (!life)
            continue;
        if (life->phase != Phase::Ended)
            alive << process;
        if (life->next == Next::Start)
            notStarted << process;
        if (life->next != Next::Nothing)
            life->next = event.isKill ? Next::Kill : std::max(life->next, Next::Stop);
    }
    if (!notStarted.isEmpty())
        add(effect::RefuseStarts{notStarted, effect::RefuseStarts::Why::IsStopped});
    if (!alive.isEmpty())
        add(effect::EndProcesses{alive, event.isKill});
    if (!alive.isEmpty() || !notStarted.isEmpty())
        rememberStop(event.isKill);
}

void PolicyStep::operator()(const heard::CallerEnded &event)
{
    if (!m_state.isStopping)
        stop(false, event.why);
}

void PolicyStep::operator()(const heard::HookFailed &event)
{
    if (m_state.isStopping || m_state.failed)
        return;
    tearDown(effect::TearDown{event.text});
    m_state.failed = -1;
    add(effect::RecordHookFailure{event});
}

void PolicyStep::operator()(const heard::LaunchRefused &event)
{
    if (m_state.isStopRequested || m_state.failed)
        return;
    failNode(event.node, event.reason, Failure::refused);
    tearDown(effect::TearDown{event.why});
}

/// What the agent ends from now on has not failed.
void PolicyStep::operator()(const heard::AgentEnds &event)
{
    if (m_state.isStopping)
        return;
    if (event.isBySignal) {
        stop(false, event.reason);
        return;
    }
    if (!m_state.failed)
        failNode(event.node, event.reason);
    tearDown(effect::TearDown{event.reason});
}

void PolicyStep::operator()(const heard::AgentLost &event)
{
    (*this)(heard::StartsForgotten{event.node});
    if (m_state.failed ? hasFailedAfter(event.node, event.since) : !m_state.isStopRequested)
        failNode(event.node, event.reason);
    tearDown(effect::TearDown{event.why});
}

/// Returns true if what has failed on another node did so when `node` was already gone, or if it went with
/// `node`.
bool PolicyStep::hasFailedAfter(const QString &node, const QDateTime &since) const
{
    constexpr qint64 togetherMs = 1000; // Slurm kills the processes of a step one after another.
    const int process = *m_state.failed;
    if (process < 0)
        return false;
    const std::optional<ProcessEnd> &end = m_state.lives[static_cast<std::size_t>(process)].end;
    if (end && planOf(process).node == node)
        return end->status.kind == ExitStatus::Kind::Signalled && end->when.msecsTo(since) < togetherMs;
    return end && end->when > since;
}

/// @param order is given unless all processes were told to end before.
void PolicyStep::tearDown(PolicyEffect order)
{
    if (std::exchange(m_state.held, {}))
        add(effect::DropEvidence{});
    if (std::exchange(m_state.isStopping, true))
        return;
    m_state.isTornDown = true;
    add(std::move(order));
}

void PolicyStep::operator()(const heard::EvidenceTaken &)
{
    if (const auto held = std::exchange(m_state.held, {}))
        tearDown(*held);
}

void PolicyStep::stop(bool isKill, const Sentence &why)
{
    m_state.isStopRequested = true;
    m_state.isStopping = true;
    rememberStop(isKill);
    add(effect::StopRun{isKill, why});
}

void PolicyStep::rememberStop(bool isKill)
{
    if (m_state.stopCode == 0)
        m_state.stopCode = ExitStatus{ExitStatus::Kind::Signalled, isKill ? SIGKILL : SIGTERM}.shellCode();
}

/// A part whose end was requested counts only while it is not started again.
int PolicyStep::stopCode() const
{
    return m_state.isStopRequested || std::ranges::any_of(m_state.lives, &ProcessLife::isEndRequested)
               ? m_state.stopCode
               : 0;
}

void PolicyStep::operator()(const heard::AllEnded &)
{
    if (m_state.restartCause && !m_state.failed && stopCode() == 0)
        startAttempt();
    else
        add(effect::ReleaseNodes{});
}

void PolicyStep::startAttempt()
{
    if (m_state.held)
        add(effect::DropEvidence{});
    unlimitScheduler();
    PolicyState next;
    next.plan = m_state.plan;
    next.takesEvidence = m_state.takesEvidence;
    next.lives.resize(m_state.lives.size());
    next.attempt = m_state.attempt + 1;
    next.survivor = m_state.survivor;
    add(effect::StartAttempt{next.attempt, *m_state.restartCause});
    m_state = std::move(next);
}

void PolicyStep::operator()(const heard::NodesReleased &event)
{
    m_state.isConcluded = true;
    if (std::exchange(m_state.held, {}))
        add(effect::DropEvidence{});
    unlimitScheduler();
    lookAtSurvivor();
    lookAtLastLives();
    add(effect::Conclude{});
    if (m_state.failed || (m_state.plan->adopted ? stopCode() == 0 : event.isStalled))
        add(effect::Judge{});
    else
        finish({});
}

/// A run that leaves a process behind, perhaps on a device, has not just been stopped.
void PolicyStep::lookAtSurvivor()
{
    if (m_state.failed || !m_state.survivor)
        return;
    const auto &[node, end] = *m_state.survivor;
    if (!lifeOf(end.process)) {
        failNode(node, end.text);
        return;
    }
    m_state.failed = end.process;
    add(effect::RecordFailure{end});
}

/// The last line of defence: a run succeeds only if the last life of every rank ended with 0.
void PolicyStep::lookAtLastLives()
{
    if (m_state.failed || m_state.plan->adopted || stopCode() != 0)
        return;
    const ProcessLife *worst = nullptr;
    for (std::size_t index = 0; index < m_state.lives.size(); ++index) {
        const ProcessLife &life = m_state.lives[index];
        const ProcessPlan &process = m_state.plan->processes[index];
        const bool isBad = life.end && !life.end->status.isSuccess();
        if (!isBad || process.isFound || process.role == Role::Scheduler)
            continue;
        if (!worst || std::pair(life.isEndRequested, life.end->when) <
                          std::pair(worst->isEndRequested, worst->end->when))
            worst = &life;
    }
    if (worst && worst->isEndRequested) { // To be started again, which has not happened.
        rememberStop(false);
    } else if (worst) {
        m_state.failed = worst->end->process;
        add(effect::RecordFailure{worst->end});
    }
}

void PolicyStep::operator()(const heard::Judged &event)
{
    if (!m_state.failed && event.failureCode)
        add(effect::RecordJudgedFailure{});
    finish(event.failureCode);
}

void PolicyStep::finish(const std::optional<int> &failureCode)
{
    if (m_state.failed || failureCode) {
        add(effect::Finish{RunPhase::Failed, failureCode.value_or(1)});
        return;
    }
    if (const int code = stopCode(); code != 0) {
        add(effect::Finish{RunPhase::Stopped, code});
        return;
    }
    const bool isSeen =
        std::ranges::all_of(m_state.plan->processes, [&, index = 0](const auto &process) mutable {
            const ProcessLife &life = *lifeOf(index++);
            return process.isFound || process.role == Role::Scheduler || life.phase == Phase::Ended;
        });
    const std::optional<ProcessEnd> &first = m_state.lives.front().end;
    if (!isSeen || (m_state.plan->adopted && !(first && first->status.isSuccess())))
        add(effect::Finish{RunPhase::Unknown, ExitStatus{ExitStatus::Kind::Unknown, 0}.shellCode()});
    else
        add(effect::Finish{RunPhase::Succeeded, 0});
}

} // namespace

PolicyEffects runPolicy(PolicyState &state, const PolicyEvent &event)
{
    // What still arrives while the verdict is found changes nothing.
    if (state.isConcluded && !std::holds_alternative<heard::Judged>(event))
        return {};
    PolicyStep step(state);
    std::visit(step, event);
    return step.takeEffects();
}

} // namespace rankdeck

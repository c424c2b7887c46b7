#include "run/record/runstate.h"

#include "base/times.h"
#include "base/wordtable.h"
#include "launch/plan/attempt.h"
#include "launch/text/nodelist.h"
#include "run/record/attachedtool.h"

#include <csignal>

namespace rankdeck
{

void RunState::setPlan(const LaunchPlan &recorded)
{
    recordedPlan = std::make_shared<const LaunchPlan>(recorded);
    attempt = 0;
    // All attempts are alike without restarts; a plan of many ranks takes megabytes.
    plan = recorded.maxRestarts == 0 ? recordedPlan
                                     : std::make_shared<const LaunchPlan>(forAttempt(recorded, attempt));
    ranks.assign(recorded.processes.size(), {});
}

void RunState::replacePlan(const LaunchPlan &recorded)
{
    std::vector<RankState> known = std::exchange(ranks, {});
    const int currentAttempt = attempt;
    setPlan(recorded);
    if (known.size() <= ranks.size())
        std::ranges::move(known, ranks.begin());
    attempt = currentAttempt;
    if (attempt > 0)
        plan = std::make_shared<const LaunchPlan>(forAttempt(recorded, attempt));
}

const ProcessPlan *RunState::planOf(int index) const
{
    const auto at = static_cast<std::size_t>(index);
    if (index < 0 || !plan || at >= plan->processes.size() + tools.size())
        return nullptr;
    return at < plan->processes.size() ? &plan->processes[at] : &tools[at - plan->processes.size()].plan;
}

const RankState *RunState::stateOf(int index) const
{
    const auto at = static_cast<std::size_t>(index);
    if (index < 0 || at >= ranks.size() + tools.size())
        return nullptr;
    return at < ranks.size() ? &ranks[at] : &tools[at - ranks.size()].state;
}

/// Ignores a tool whose index does not follow the last one: an event that was lost would shift the tools.
void RunState::addTool(const events::ProcessAdded &added)
{
    const auto toolsPlan = toolFromText(added.plan);
    if (!toolsPlan || !plan || tools.size() >= mostTools ||
        added.process != static_cast<int>(ranks.size() + tools.size()))
        return;
    AttachedTool tool;
    tool.plan = *toolsPlan;
    tool.process = plan->processOfRank(toolsPlan->rank.value);
    tools.push_back(tool);
}

static void answer(RequestAnswers &answers, const QString &problem)
{
    ++answers.count;
    answers.problem = problem;
}

/// What an event changes for a tool.
struct RunState::ToolChange {
    RunState &run;
    AttachedTool &tool;
    const QDateTime &wall;

    void operator()(const auto &) const {}
    void operator()(const events::ProcessStarted &event) const
    {
        tool.state.phase = RankPhase::Running;
        tool.state.pid = event.pid;
        tool.state.started = wall;
        run.notes << tr("%1 is attached to rank %2.").arg(tool.plan.argv.first()).arg(tool.plan.rank.value);
    }
    void operator()(const events::ProcessExited &event) const { end(event.status); }
    void operator()(const events::ProcessNotStarted &event) const
    {
        if (!event.status)
            return;
        end(event.status);
        tool.problem = event.text;
        run.notes << tool.problem;
    }
    void end(const std::optional<ExitStatus> &status) const
    {
        if (!status)
            return;
        tool.state.phase = status->isSuccess() ? RankPhase::Exited : RankPhase::Ended;
        tool.state.ended = wall;
        tool.state.status = status;
    }
};

/// What an event changes for the process that it is about.
struct RunState::RankChange {
    RunState &run;
    RankState &rank;
    const QDateTime &wall;

    void operator()(const auto &) const {}
    void operator()(const events::ProcessStarted &event) const
    {
        rank.phase = RankPhase::Running;
        rank.pid = event.pid;
        rank.started = wall;
        rank.ended = {}; // A launcher may start a rank again.
        rank.status.reset();
        if (event.logged.isEmpty())
            return;
        rank.begin = {event.logged.first(), event.logged.value(1)};
        rank.stopRequested = false;
        answer(rank.startAnswers, {});
    }
    void operator()(const events::ProcessNotStarted &event) const
    {
        if (rank.started.isValid()) { // A rank that had run was to be started again.
            rank.stopRequested = false;
            answer(rank.startAnswers, event.text);
        }
        end(event.process, event.status);
    }
    void operator()(const events::ProcessExited &event) const { end(event.process, event.status); }
    void operator()(const events::ProcessStopRequested &) const { rank.stopRequested = true; }
    void operator()(const events::SignalSent &event) const { answer(rank.signalAnswers, event.text); }
    void operator()(const events::StartRefused &event) const
    {
        answer(rank.startAnswers, event.text);
        run.notes << rank.startAnswers.problem;
    }
    void operator()(const events::ProcessHeld &event) const
    {
        if (rank.phase != RankPhase::Running)
            return;
        rank.hold = event.hold;
        rank.holdSince = wall;
    }
    void operator()(const events::ProcessReleased &event) const
    {
        rank.hold = Hold::None;
        run.forgetSilence(event.process);
    }
    void operator()(const events::StacksDumped &event) const
    {
        run.dumps << StackDump{event.process, wall, event.file, event.text};
    }
    void operator()(const events::DeviceAlarm &event) const
    {
        run.deviceAlarms.insert(event.process, event.text);
    }
    void operator()(const events::AtPrompt &event) const
    {
        if (event.prompt && !rank.status) {
            rank.prompt = event.prompt;
            rank.prompt->since = wall;
            rank.prompt->arrival = ++run.prompts;
        }
        run.forgetSilence(event.process);
    }
    void operator()(const events::PromptLeft &) const { rank.prompt.reset(); }

    void end(int process, const std::optional<ExitStatus> &status) const
    {
        if (!status)
            return;
        rank.ended = wall;
        rank.status = status;
        rank.prompt.reset();
        rank.hold = Hold::None;
        if (rank.stopRequested)
            rank.phase = RankPhase::Stopped;
        else if (status->kind == ExitStatus::Kind::Unknown)
            rank.phase = RankPhase::Unknown;
        else if (status->isSuccess())
            rank.phase = RankPhase::Exited;
        else
            rank.phase = run.phase == RunPhase::Stopping ? RankPhase::Ended : RankPhase::Failed;
        run.keepStall(process);
        run.forgetSilence(process);
    }
};

/// What an event changes for the run. RunReader reads run.json after Planned and FailureRecorded.
struct RunState::RunChange {
    RunState &run;
    const RunEvent &head;

    void operator()(const auto &) const {}
    void operator()(const events::ProcessStarted &) const
    {
        if (run.phase == RunPhase::Starting)
            run.phase = RunPhase::Running;
    }
    void operator()(const events::StopRequested &) const { stop(); }
    void operator()(const events::TearDown &) const { run.stall.reset(), stop(); }
    void operator()(const events::Restart &event) const { run.restart(event.attempt); }
    void operator()(const events::Stalled &event) const
    {
        const Sentence collectives = run.stall ? run.stall->collectives : Sentence();
        run.stall = RunStall{event.text, event.silences, collectives, event.named};
    }
    void operator()(const events::RecordersDumped &event) const
    {
        run.recorderDumps += event.text.isEmpty() ? 0 : 1;
    }
    void operator()(const events::CollectivesRead &event) const
    {
        if (run.stall)
            run.stall->collectives = event.text;
    }
    void operator()(const events::StallEnded &) const { run.stall.reset(); }
    void operator()(const events::DeviceWell &event) const { run.deviceAlarms.remove(event.process); }
    void operator()(const events::AgentLost &) const
    {
        run.unreached.remove(head.node);
        run.loseNode(head.node);
    }
    void operator()(const events::LinkLost &event) const { run.unreached.insert(head.node, event.text); }
    void operator()(const events::LinkBack &) const { run.unreached.remove(head.node); }
    void operator()(const events::Finished &event) const
    {
        run.conclude(event.phase, head.wall, event.exitCode);
    }
    void stop() const
    {
        run.phase = RunPhase::Stopping;
        run.leaveStall();
        for (RankState &rank : run.ranks)
            rank.wasPaused = rank.wasPaused || rank.hold == Hold::Suspended;
    }
};

/// Whether the sentence of an event is for the reader; else the state of a process says the same.
static bool isNote(const RunEvent &event)
{
    using namespace events;
    if (event.is<StopRequested, TearDown, RecordersDumped>())
        return !event.text().isEmpty();
    return event.is<Note, Survived, HookStarted, DeviceAlarm, DeviceWell, Restart, Stalled, StallEnded,
                    CollectivesRead, AgentLost, LinkLost, LinkBack>();
}

void RunState::apply(const RunEvent &event)
{
    const int process = event.process();
    const auto at = static_cast<std::size_t>(process);
    if (const auto *added = event.as<events::ProcessAdded>()) {
        addTool(*added);
    } else if (process < static_cast<int>(ranks.size())) {
        if (process >= 0)
            std::visit(RankChange{*this, ranks[at], event.wall}, event.what);
        std::visit(RunChange{*this, event}, event.what);
        if (isNote(event))
            notes << event.text();
    } else if (at - ranks.size() < tools.size()) {
        std::visit(ToolChange{*this, tools[at - ranks.size()], event.wall}, event.what);
    }
}

void RunState::restart(int newAttempt)
{
    if (earlier.size() < mostEarlier) {
        auto before = std::make_shared<RunState>(*this);
        before->earlier.clear();
        earlier.push_back(std::move(before));
    }
    phase = RunPhase::Starting;
    attempt = newAttempt;
    if (recordedPlan)
        plan = std::make_shared<const LaunchPlan>(forAttempt(*recordedPlan, attempt));
    ranks.assign(ranks.size(), {});
    prompts = 0;
    tools.clear();
    unreached.clear();
    stall.reset();
    endStall.reset();
}

void RunState::loseNode(const QString &node)
{
    for (std::size_t index = 0; plan && index < ranks.size(); ++index) {
        // The end of a process may still be reported from elsewhere.
        if (plan->processes[index].node == node && !ranks[index].status)
            ranks[index].phase = RankPhase::Unknown;
    }
}

void RunState::conclude(RunPhase how, const QDateTime &when, int code)
{
    phase = how;
    ended = when;
    exitCode = code;
    unreached.clear();
    leaveStall();
    for (RankState &rank : ranks) {
        rank.hold = Hold::None;
        rank.prompt.reset();
        if (rank.phase != RankPhase::Running)
            continue;
        if (plan && plan->adopted) { // An adopted run goes on without being watched.
            rank.phase = RankPhase::Unknown;
        } else if (phase == RunPhase::Lost) {
            rank.phase = RankPhase::Ended;
            rank.ended = when;
        }
    }
    for (AttachedTool &tool : tools) {
        if (tool.state.phase == RankPhase::Running || tool.state.phase == RankPhase::Waiting)
            tool.state.phase = RankPhase::Ended;
    }
}

std::optional<RunEvent> RunState::endOf(qint64 pid, const ExitStatus &status) const
{
    const auto rank = std::ranges::find_if(
        ranks, [&](const RankState &known) { return known.pid == pid && !known.status; });
    const bool isHere = plan->transport.isEmpty() || plan->transport == transportWord(TransportKind::Local);
    if (rank == ranks.end() || !isHere)
        return std::nullopt;
    return RunEvent::now(events::ProcessExited{static_cast<int>(rank - ranks.begin()), pid, status});
}

QDateTime RunState::silentSince(int process) const
{
    const auto index = static_cast<std::size_t>(process);
    if (index < ranks.size() && ranks[index].isHeld())
        return {};
    const auto since = stall ? stall->silentSince.constFind(process) : QMap<int, qint64>::const_iterator();
    return stall && since != stall->silentSince.cend() ? utcTime(*since) : QDateTime();
}

int RunState::promptOrder(int process) const
{
    const auto &prompt = ranks[static_cast<std::size_t>(process)].prompt;
    const auto isNotLater = [&](const RankState &rank) {
        return prompt && rank.prompt && rank.prompt->arrival <= prompt->arrival;
    };
    return static_cast<int>(std::ranges::count_if(ranks, isNotLater));
}

/// The stall ends with the last silent process.
void RunState::forgetSilence(int process)
{
    if (stall && stall->silentSince.remove(process) > 0 && stall->silentSince.isEmpty())
        stall.reset();
}

/// The user of an adopted run ends it elsewhere: a rank that ends after somebody has looked where it stands,
/// ends in its stall.
void RunState::keepStall(int process)
{
    if (endStall || !stall || !plan || !plan->adopted || !stall->silentSince.contains(process))
        return;
    const qint64 since = stall->silentSince.value(process);
    if (std::ranges::any_of(dumps, [&](const StackDump &dump) {
            return dump.process == process && !dump.file.isEmpty() && dump.time.toMSecsSinceEpoch() > since;
        }))
        endStall = stall;
}

void RunState::leaveStall()
{
    if (stall && !stall->silentSince.isEmpty())
        endStall = stall;
    stall.reset();
}

bool RankState::endedBadlyByItself() const
{
    constexpr std::array asking{SIGTERM, SIGKILL, SIGINT, SIGHUP};
    if (!status || status->isSuccess())
        return false;
    const bool isSignalled = status->kind == ExitStatus::Kind::Signalled;
    if (!isSignalled && status->kind != ExitStatus::Kind::Exited)
        return false;
    constexpr int shellSignal = 128; // As shells and handlers report a signal.
    const int signal = isSignalled ? status->number : status->number - shellSignal;
    return std::ranges::find(asking, signal) == asking.end();
}

RankPhase RunState::shownPhase(const RankState &rank) const
{
    if (rank.phase != RankPhase::Ended || !rank.status)
        return rank.phase;
    return failure && rank.endedBadlyByItself() ? RankPhase::Failed : RankPhase::Stopped;
}

int RunState::count(RankPhase rankPhase) const
{
    return static_cast<int>(std::ranges::count(ranks, rankPhase, &RankState::phase));
}

} // namespace rankdeck

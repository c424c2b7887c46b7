#include "run/record/runstate.h"

#include "base/times.h"
#include "base/wordtable.h"
#include "launch/plan/attempt.h"
#include "launch/text/nodelist.h"
#include "run/record/attachedtool.h"

#include <csignal>

namespace rankdeck
{

using Kind = RunEvent::Kind;

/// A word of another version, such as "suspended", counts as paused.
static Hold holdFromWord(const QString &word)
{
    return word == holdWord(Hold::Traced) ? Hold::Traced : Hold::Suspended;
}

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
void RunState::addTool(const RunEvent &event)
{
    const auto added = toolFromText(event.text);
    if (!added || !plan || tools.size() >= mostTools ||
        event.process != static_cast<int>(ranks.size() + tools.size()))
        return;
    AttachedTool tool;
    tool.plan = *added;
    tool.process = plan->processOfRank(added->rank.value);
    tools.push_back(tool);
}

void RunState::applyToTool(AttachedTool &tool, const RunEvent &event)
{
    if (event.kind == Kind::ProcessStarted) {
        tool.state.phase = RankPhase::Running;
        tool.state.pid = event.pid;
        tool.state.started = event.wall;
        notes << tr("%1 is attached to rank %2.").arg(tool.plan.argv.first()).arg(tool.plan.rank.value);
    } else if ((event.kind == Kind::ProcessExited || event.kind == Kind::ProcessNotStarted) && event.status) {
        tool.state.phase = event.status->isSuccess() ? RankPhase::Exited : RankPhase::Ended;
        tool.state.ended = event.wall;
        tool.state.status = event.status;
        if (event.kind == Kind::ProcessNotStarted) {
            tool.problem = event.text;
            notes << tool.problem;
        }
    }
}

static void answer(RequestAnswers &answers, const QString &problem)
{
    ++answers.count;
    answers.problem = problem;
}

void RunState::applyToRank(RankState &rank, const RunEvent &event)
{
    switch (event.kind) {
    case Kind::ProcessStarted:
        rank.phase = RankPhase::Running;
        rank.pid = event.pid;
        rank.started = event.wall;
        rank.ended = {}; // A launcher may start a rank again.
        rank.status.reset();
        if (!event.logged.isEmpty()) {
            rank.begin = {event.logged.first(), event.logged.value(1)};
            rank.stopRequested = false;
            answer(rank.startAnswers, {});
        }
        break;
    case Kind::ProcessNotStarted:
        if (rank.started.isValid()) { // A rank that had run was to be started again.
            rank.stopRequested = false;
            answer(rank.startAnswers, event.text);
        }
        [[fallthrough]];
    case Kind::ProcessExited:
        if (event.status)
            endRank(rank, event);
        break;
    case Kind::ProcessStopRequested:
        rank.stopRequested = true;
        break;
    case Kind::SignalSent:
        answer(rank.signalAnswers, event.text);
        break;
    case Kind::StartRefused:
        answer(rank.startAnswers, event.text);
        notes << rank.startAnswers.problem;
        break;
    case Kind::ProcessHeld:
        if (rank.phase == RankPhase::Running) {
            rank.hold = holdFromWord(event.text);
            rank.holdSince = event.wall;
        }
        break;
    case Kind::ProcessReleased:
        rank.hold = Hold::None;
        forgetSilence(event.process);
        break;
    case Kind::StacksDumped:
        dumps << StackDump{event.process, event.wall, event.file, event.text};
        break;
    case Kind::DeviceAlarm:
        deviceAlarms.insert(event.process, event.text);
        break;
    case Kind::AtPrompt:
        if (event.prompt && !rank.status) {
            rank.prompt = event.prompt;
            rank.prompt->since = event.wall;
            rank.prompt->arrival = ++prompts;
        }
        forgetSilence(event.process);
        break;
    case Kind::PromptLeft:
        rank.prompt.reset();
        break;
    default:
        break;
    }
}

void RunState::endRank(RankState &rank, const RunEvent &event)
{
    rank.ended = event.wall;
    rank.status = event.status;
    rank.prompt.reset();
    rank.hold = Hold::None;
    if (rank.stopRequested)
        rank.phase = RankPhase::Stopped;
    else if (event.status->kind == ExitStatus::Kind::Unknown)
        rank.phase = RankPhase::Unknown;
    else if (event.status->isSuccess())
        rank.phase = RankPhase::Exited;
    else
        rank.phase = phase == RunPhase::Stopping ? RankPhase::Ended : RankPhase::Failed;
    forgetSilence(event.process);
}

void RunState::applyToRun(const RunEvent &event)
{
    switch (event.kind) {
    case Kind::Note:
    case Kind::HookStarted:
    case Kind::DeviceAlarm:
        break;
    case Kind::ProcessStarted:
        if (phase == RunPhase::Starting)
            phase = RunPhase::Running;
        return;
    case Kind::StopRequested:
    case Kind::TearDown:
        phase = RunPhase::Stopping;
        stall.reset();
        if (event.text.isEmpty())
            return;
        break;
    case Kind::Restart:
        restart(event.attempt);
        break;
    case Kind::Stalled:
        stall = RunStall{event.text, event.silences, stall ? stall->collectives : Sentence()};
        break;
    case Kind::RecordersDumped:
        if (event.text.isEmpty())
            return;
        ++recorderDumps;
        break;
    case Kind::CollectivesRead:
        if (stall)
            stall->collectives = event.text;
        break;
    case Kind::StallEnded:
        stall.reset();
        break;
    case Kind::DeviceWell:
        deviceAlarms.remove(event.process);
        break;
    case Kind::AgentLost:
        unreached.remove(event.node);
        loseNode(event.node);
        break;
    case Kind::LinkLost:
        unreached.insert(event.node, event.text);
        break;
    case Kind::LinkBack:
        unreached.remove(event.node);
        break;
    case Kind::Finished:
        conclude(phaseFromWord(event.text).value_or(RunPhase::Failed), event.wall,
                 event.status ? event.status->number : 0);
        return;
    default: // RunReader reads run.json after Planned and FailureRecorded.
        return;
    }
    notes << event.text;
}

void RunState::apply(const RunEvent &event)
{
    const int toolsBegin = static_cast<int>(ranks.size());
    if (event.kind == Kind::ProcessAdded) {
        addTool(event);
    } else if (event.process >= toolsBegin) {
        const auto tool = static_cast<std::size_t>(event.process - toolsBegin);
        if (tool < tools.size())
            applyToTool(tools[tool], event);
    } else {
        if (event.process >= 0)
            applyToRank(ranks[static_cast<std::size_t>(event.process)], event);
        applyToRun(event);
    }
}

void RunState::restart(int newAttempt)
{
    phase = RunPhase::Starting;
    attempt = newAttempt;
    if (recordedPlan)
        plan = std::make_shared<const LaunchPlan>(forAttempt(*recordedPlan, attempt));
    ranks.assign(ranks.size(), {});
    prompts = 0;
    tools.clear();
    unreached.clear();
    stall.reset();
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
    stall.reset();
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
    return RunEvent::ofProcess(Kind::ProcessExited, static_cast<int>(rank - ranks.begin()), pid, status);
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

bool RunState::isAnyHeld() const
{
    return std::ranges::any_of(ranks, &RankState::isHeld);
}

/// The stall ends with the last silent process.
void RunState::forgetSilence(int process)
{
    if (stall && stall->silentSince.remove(process) > 0 && stall->silentSince.isEmpty())
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

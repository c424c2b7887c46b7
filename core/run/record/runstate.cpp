#include "run/runstate.h"

#include "launch/attempt.h"
#include "launch/nodelist.h"
#include "run/attachedtool.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

constexpr std::array runPhaseWords{"starting", "running", "stopping", "succeeded", "failed",
                                   "stopped",  "lost",    "recorded", "writing"};
constexpr std::array rankPhaseWords{"waiting", "running", "exited",  "failed",
                                    "ended",   "stopped", "unknown", "writing"};
constexpr std::array holdWords{"", "suspended", "traced"};

struct StateWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::RunState)
};

/// Of a word that another version wrote: it stands still, however.
Hold holdFromWord(const QString &word)
{
    return word == holdWord(Hold::Traced) ? Hold::Traced : Hold::Suspended;
}

} // namespace

QString phaseWord(RunPhase phase)
{
    return QString::fromLatin1(runPhaseWords.at(static_cast<std::size_t>(phase)));
}

QString phaseWord(RankPhase phase)
{
    return QString::fromLatin1(rankPhaseWords.at(static_cast<std::size_t>(phase)));
}

QString holdWord(Hold hold)
{
    return QString::fromLatin1(holdWords.at(static_cast<std::size_t>(hold)));
}

std::optional<RunPhase> phaseFromWord(const QString &word)
{
    const auto found = std::find_if(runPhaseWords.begin(), runPhaseWords.end(),
                                    [&](const char *known) { return word == QLatin1String(known); });
    if (found == runPhaseWords.end())
        return std::nullopt;
    return static_cast<RunPhase>(found - runPhaseWords.begin());
}

bool isLive(RunPhase phase)
{
    return phase == RunPhase::Starting || phase == RunPhase::Running || phase == RunPhase::Stopping;
}

bool mayGrow(RunPhase phase)
{
    return isLive(phase) || phase == RunPhase::Writing;
}

bool hasLogsAlone(RunPhase phase)
{
    return phase == RunPhase::Recorded || phase == RunPhase::Writing;
}

void RunState::setPlan(const LaunchPlan &recorded)
{
    recordedPlan = std::make_shared<const LaunchPlan>(recorded);
    attempt = 0;
    plan = std::make_shared<const LaunchPlan>(forAttempt(recorded, attempt));
    ranks.assign(recorded.processes.size(), {});
}

void RunState::replacePlan(const LaunchPlan &recorded)
{
    std::vector<RankState> known = std::move(ranks);
    const int currentAttempt = attempt;
    setPlan(recorded);
    if (known.size() == ranks.size())
        ranks = std::move(known);
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

/// Those that are lost in the journal would make others out of the next.
void RunState::addTool(const RunEvent &event)
{
    const auto added = toolFromText(event.text);
    if (!added || !plan || tools.size() >= mostTools ||
        event.process != static_cast<int>(ranks.size() + tools.size()))
        return;
    AttachedTool tool;
    tool.plan = *added;
    for (std::size_t index = 0; index < plan->processes.size(); ++index) {
        if (plan->processes[index].role == Role::Worker && plan->processes[index].rank == added->rank)
            tool.process = static_cast<int>(index);
    }
    tools.push_back(tool);
}

void RunState::applyToTool(AttachedTool &tool, const RunEvent &event)
{
    using Kind = RunEvent::Kind;
    if (event.kind == Kind::ProcessStarted) {
        tool.state.phase = RankPhase::Running;
        tool.state.pid = event.pid;
        tool.state.started = event.wall;
        notes << StateWords::tr("%1 is attached to rank %2.")
                     .arg(tool.plan.argv.first())
                     .arg(tool.plan.rank.value);
    } else if ((event.kind == Kind::ProcessExited || event.kind == Kind::ProcessNotStarted) && event.status) {
        tool.state.phase = event.status->isSuccess() ? RankPhase::Exited : RankPhase::Ended;
        tool.state.ended = event.wall;
        tool.state.status = event.status;
        if (event.kind == Kind::ProcessNotStarted) {
            tool.problem = event.text;
            notes << event.text;
        }
    }
}

void RunState::apply(const RunEvent &event)
{
    using Kind = RunEvent::Kind;
    if (event.kind == Kind::ProcessAdded) {
        addTool(event);
        return;
    }
    if (event.process >= static_cast<int>(ranks.size())) {
        const auto tool = static_cast<std::size_t>(event.process) - ranks.size();
        if (tool < tools.size())
            applyToTool(tools[tool], event);
        return;
    }
    RankState *rank = event.process >= 0 && event.process < static_cast<int>(ranks.size())
                          ? &ranks[static_cast<std::size_t>(event.process)]
                          : nullptr;
    switch (event.kind) {
    case Kind::ProcessStarted:
        if (rank) {
            rank->phase = RankPhase::Running;
            rank->pid = event.pid;
            rank->started = event.wall;
        }
        if (phase == RunPhase::Starting)
            phase = RunPhase::Running;
        break;
    case Kind::ProcessNotStarted:
    case Kind::ProcessExited:
        if (rank && event.status) {
            rank->ended = event.wall;
            rank->status = event.status;
            rank->prompt.reset();
            rank->hold = Hold::None;
            if (rank->stopRequested)
                rank->phase = RankPhase::Stopped;
            else if (event.status->isSuccess())
                rank->phase = RankPhase::Exited;
            else
                rank->phase = phase == RunPhase::Stopping ? RankPhase::Ended : RankPhase::Failed;
            forgetSilence(event.process);
        }
        break;
    case Kind::ProcessStopRequested:
        if (rank)
            rank->stopRequested = true;
        break;
    case Kind::SignalSent:
        if (rank) {
            ++rank->signalAnswers.count;
            rank->signalAnswers.problem = event.text;
        }
        break;
    case Kind::ProcessHeld:
        if (rank && rank->phase == RankPhase::Running) {
            rank->hold = holdFromWord(event.text);
            rank->holdSince = event.wall;
        }
        break;
    case Kind::ProcessReleased:
        if (rank)
            rank->hold = Hold::None;
        forgetSilence(event.process);
        break;
    case Kind::StopRequested:
    case Kind::TearDown:
        phase = RunPhase::Stopping;
        stall.reset();
        if (!event.text.isEmpty())
            notes << event.text;
        break;
    case Kind::Restart:
        phase = RunPhase::Starting;
        attempt = event.attempt;
        if (recordedPlan)
            plan = std::make_shared<const LaunchPlan>(forAttempt(*recordedPlan, attempt));
        ranks.assign(ranks.size(), {});
        prompts = 0;
        tools.clear();
        unreached.clear();
        stall.reset();
        notes << event.text;
        break;
    case Kind::Stalled:
        stall = RunStall{event.text, event.silences};
        notes << event.text;
        break;
    case Kind::StallEnded:
        stall.reset();
        notes << event.text;
        break;
    case Kind::StacksDumped:
        if (rank)
            dumps << StackDump{event.process, event.wall, event.file, event.text};
        break;
    case Kind::DeviceAlarm:
        if (rank)
            deviceAlarms.insert(event.process, event.text);
        notes << event.text;
        break;
    case Kind::DeviceWell:
        deviceAlarms.remove(event.process);
        notes << event.text;
        break;
    case Kind::AtPrompt:
        if (rank && event.prompt && !rank->status) {
            rank->prompt = event.prompt;
            rank->prompt->since = event.wall;
            rank->prompt->arrival = ++prompts;
        }
        forgetSilence(event.process);
        break;
    case Kind::PromptLeft:
        if (rank)
            rank->prompt.reset();
        break;
    case Kind::AgentLost:
        unreached.remove(event.node);
        // Those whose end is seen from elsewhere are told of yet.
        for (std::size_t index = 0; plan && index < ranks.size(); ++index) {
            RankState &lost = ranks[index];
            if (plan->processes[index].node == event.node && !lost.status)
                lost.phase = RankPhase::Unknown;
        }
        notes << event.text;
        break;
    case Kind::LinkLost:
        unreached.insert(event.node, event.text);
        notes << event.text;
        break;
    case Kind::LinkBack:
        unreached.remove(event.node);
        notes << event.text;
        break;
    case Kind::Note:
    case Kind::HookStarted:
        notes << event.text;
        break;
    case Kind::Finished:
        conclude(phaseFromWord(event.text).value_or(RunPhase::Failed), event.wall,
                 event.status ? event.status->number : 0);
        break;
    case Kind::ProcessAdded: // Above.
    case Kind::Planned:      // RunReader reads it from run.json.
    case Kind::Allocation:
    case Kind::AgentStarted:
    case Kind::Swept:
    case Kind::HookExited:
    case Kind::BeforeFailed:
    case Kind::NodeDone:
    case Kind::FailureRecorded:
        break;
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
    }
    for (AttachedTool &tool : tools) {
        if (tool.state.phase == RankPhase::Running || tool.state.phase == RankPhase::Waiting)
            tool.state.phase = RankPhase::Ended;
    }
    if (phase != RunPhase::Lost)
        return;
    for (RankState &rank : ranks) {
        if (rank.phase != RankPhase::Running)
            continue;
        rank.phase = RankPhase::Ended;
        rank.ended = when;
    }
}

std::optional<RunEvent> RunState::endOf(qint64 pid, const ExitStatus &status) const
{
    const auto rank = std::find_if(ranks.begin(), ranks.end(),
                                   [&](const RankState &known) { return known.pid == pid && !known.status; });
    const bool isHere = plan->transport.isEmpty() || plan->transport == transportWord(TransportKind::Local);
    if (rank == ranks.end() || !isHere)
        return std::nullopt;
    RunEvent event = RunEvent::now(RunEvent::Kind::ProcessExited);
    event.process = static_cast<int>(rank - ranks.begin());
    event.pid = pid;
    event.status = status;
    return event;
}

QDateTime RunState::silentSince(int process) const
{
    const auto index = static_cast<std::size_t>(process);
    if (index < ranks.size() && ranks[index].isHeld())
        return {};
    const auto since = stall ? stall->silentSince.constFind(process) : QMap<int, qint64>::const_iterator();
    return stall && since != stall->silentSince.cend() ? QDateTime::fromMSecsSinceEpoch(*since, Qt::UTC)
                                                       : QDateTime();
}

int RunState::promptOrder(int process) const
{
    const auto &prompt = ranks[static_cast<std::size_t>(process)].prompt;
    return prompt ? 1 + static_cast<int>(std::count_if(ranks.begin(), ranks.end(),
                                                       [&](const RankState &rank) {
                                                           return rank.prompt &&
                                                                  rank.prompt->arrival < prompt->arrival;
                                                       }))
                  : 0;
}

bool RunState::isAnyHeld() const
{
    return std::any_of(ranks.begin(), ranks.end(), [](const RankState &rank) { return rank.isHeld(); });
}

/// With the last of those that were silent goes what was said of them.
void RunState::forgetSilence(int process)
{
    if (stall && stall->silentSince.remove(process) > 0 && stall->silentSince.isEmpty())
        stall.reset();
}

int RunState::count(RankPhase rankPhase) const
{
    return static_cast<int>(std::count_if(ranks.begin(), ranks.end(),
                                          [&](const RankState &rank) { return rank.phase == rankPhase; }));
}

qint64 RunSummary::duration(const QDateTime &now) const
{
    return created.secsTo(isLive(phase) || !ended.isValid() ? now : ended);
}

} // namespace rankdeck

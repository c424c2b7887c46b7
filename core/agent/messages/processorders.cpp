#include "agent/messages/processorders.h"

#include "agent/stacks/stacktools.h"
#include "base/numberranges.h"
#include "launch/plan/launchplan.h"
#include "run/record/runstate.h"
#include "run/workers/worker.h"

#include <algorithm>

namespace rankdeck
{

/// Returns why the signal cannot be sent; empty: it can.
static Sentence obstacle(int process, const QString &name, const RunState &state)
{
    const ProcessPlan &plan = state.plan->processes[static_cast<std::size_t>(process)];
    const RankState &rank = state.ranks[static_cast<std::size_t>(process)];
    const Sentence who = rankName(plan);
    if (rank.phase == RankPhase::Waiting)
        return Sentence::tr("%1 was not sent to %2: it has not been started yet.").arg(name, who);
    if ((rank.phase == RankPhase::Unknown && !rank.status) || state.unreached.contains(plan.node))
        return Sentence::tr("%1 was not sent to %2: no connection to %3.").arg(name, who, plan.node);
    if (rank.phase != RankPhase::Running)
        return Sentence::tr("%1 was not sent to %2: it has ended.").arg(name, who);
    return {};
}

/// Returns why the process cannot be started again; empty: it can.
static Sentence startObstacle(int process, const RunState &state, bool isEnding)
{
    const auto index = static_cast<std::size_t>(process);
    const ProcessPlan &plan = state.plan->processes[index];
    const RankState &rank = state.ranks[index];
    const Sentence who = rankName(plan);
    if (plan.role != Role::Worker)
        return Sentence::tr("Only ranks can be started again.");
    if (plan.isFound || state.plan->adopted)
        return Sentence::tr("%1 cannot be started again: its own launcher started it, not Rankdeck.")
            .arg(who);
    if (isEnding || state.phase != RunPhase::Running)
        return Sentence::tr("%1 cannot be started again: the run is not running or is about to end.")
            .arg(who);
    if (rank.phase == RankPhase::Waiting)
        return Sentence::tr("%1 cannot be started again: it has not been started yet.").arg(who);
    if ((rank.phase == RankPhase::Unknown && !rank.status) || state.unreached.contains(plan.node))
        return Sentence::tr("%1 cannot be started again: no connection to %2.").arg(who, plan.node);
    for (std::size_t other = 0; other < state.ranks.size(); ++other) {
        if (state.plan->processes[other].node == plan.node && !state.ranks[other].status)
            return {};
    }
    return Sentence::tr(
               "%1 cannot be started again: no process of the run is left on %2. Launch the run again.")
        .arg(who, plan.node);
}

/// Returns why no tool can be attached; empty: one can.
static Sentence obstacle(const ProcessPlan &looked, const RankState &rank, const RunState &state,
                         const QString &directory)
{
    const Sentence who = rankName(looked);
    if (rank.phase == RankPhase::Waiting)
        return Sentence::tr("Cannot attach to %1: it has not been started yet.").arg(who);
    if ((rank.phase == RankPhase::Unknown && !rank.status) || state.unreached.contains(looked.node))
        return Sentence::tr("Cannot attach to %1: no connection to %2.").arg(who, looked.node);
    if (rank.phase != RankPhase::Running || state.phase != RunPhase::Running)
        return Sentence::tr("Cannot attach to %1: it has ended or is being ended.").arg(who);
    // Its terminal is read from a log that must be seen from here.
    const bool isShared = state.plan->transport.isEmpty() || looked.logFile.startsWith(directory);
    if (!looked.copiedFrom.join(QString()).isEmpty() || !isShared)
        return Sentence::
            tr("Cannot attach to %1 from here: %2 shares no folder with this machine. Run this there: gdb "
               "-p %3.")
                .arg(who, looked.node)
                .arg(rank.pid);
    return {};
}

SignalOrder signalOrder(const SignalRequest &request, const RunState &state)
{
    SignalOrder order;
    const QString name = ExitStatus::signalName(request.number);
    QList<int> ranks;
    for (const int process : request.processes) {
        if (process < 0 || process >= static_cast<int>(state.ranks.size()))
            continue;
        if (const Sentence why = obstacle(process, name, state); !why.isEmpty()) {
            order.refusals << signalRefusal(process, request.number, why);
            continue;
        }
        order.asked << process;
        const ProcessPlan &plan = state.plan->processes[static_cast<std::size_t>(process)];
        if (plan.role == Role::Worker)
            ranks << plan.rank.value;
    }
    std::ranges::sort(ranks);
    if (!ranks.isEmpty())
        order.note = Sentence::tr("%1 is sent to ranks %2 on request.", "%1 is sent to rank %2 on request.",
                                  static_cast<int>(ranks.size()))
                         .arg(name, numberRanges(ranks));
    else if (!order.asked.isEmpty())
        order.note = Sentence::tr("%1 is sent to the scheduler on request.").arg(name);
    return order;
}

RunEvent signalRefusal(int process, int number, const Sentence &why)
{
    return RunEvent::now(
        events::SignalSent{process, 0, ExitStatus{ExitStatus::Kind::Signalled, number}, why});
}

StartOrder startOrder(const QList<int> &processes, const RunState &state, bool isEnding)
{
    StartOrder order;
    QList<int> ranks;
    for (const int process : processes) {
        if (process < 0 || process >= static_cast<int>(state.ranks.size()))
            continue;
        const auto index = static_cast<std::size_t>(process);
        if (const Sentence why = startObstacle(process, state, isEnding); !why.isEmpty()) {
            order.refusals << RunEvent::now(events::StartRefused{process, why});
            continue;
        }
        order.asked << process;
        if (!state.ranks[index].status)
            order.ended << process;
        ranks << state.plan->processes[index].rank.value;
    }
    std::ranges::sort(ranks);
    if (!ranks.isEmpty())
        order.note = Sentence::tr("Ranks %1 are started again on request.",
                                  "Rank %1 is started again on request.", static_cast<int>(ranks.size()))
                         .arg(numberRanges(ranks));
    return order;
}

Sentence rejoinHint()
{
    return Sentence::tr(
        "Only the process is started. A process group of HCCL or gloo does not take a rank back: unless "
        "the script forms it again, the ranks wait for each other.");
}

ToolOrder toolOrder(const ToolRequest &request, const RunState &state, const QString &directory)
{
    const auto index = static_cast<std::size_t>(request.process);
    const ProcessPlan &looked = state.plan->processes[index];
    const ToolKind kind = toolKind(request.name).value_or(toolKinds().front());
    ToolOrder order;
    order.plan =
        toolPlan(kind, looked, state.ranks[index].pid, directory, static_cast<int>(state.tools.size()) + 1);
    if (state.attempt > 0)
        order.plan.logFile.insert(order.plan.logFile.lastIndexOf('.'_L1),
                                  u"-attempt-%1"_s.arg(state.attempt));
    order.problem = obstacle(looked, state.ranks[index], state, directory);
    return order;
}

Sentence toolObstacle(const ProcessPlan &tool, const QString &searchPath, int ptraceScope, bool mayTrace)
{
    const QString program = tool.argv.value(0);
    if (findProgram(program, tool.workDir, searchPath).errorNumber != 0) {
        QString package;
        for (const ToolKind &kind : toolKinds()) {
            if (kind.command.first() == program)
                package = kind.package;
        }
        return Sentence::tr("%1 is not installed on %2: %3.").arg(program, tool.node, package);
    }
    if (ptraceScope >= 3)
        return Sentence::tr(
                   "%1 may not inspect processes on %2: kernel.yama.ptrace_scope is 3 there. Changing it "
                   "needs a restart.")
            .arg(program, tool.node);
    if (ptraceScope >= 1 && !mayTrace)
        return Sentence::tr(
                   "%1 may not inspect processes that it did not start on %2: kernel.yama.ptrace_scope is %3 "
                   "there. As root, run: sysctl kernel.yama.ptrace_scope=0.")
            .arg(program, tool.node)
            .arg(ptraceScope);
    return {};
}

bool hasTracingCapability(const QByteArray &status)
{
    constexpr int sysPtrace = 19; // capabilities(7)
    const QByteArray key = "\nCapEff:";
    const qsizetype at = status.indexOf(key);
    if (at < 0)
        return false;
    const qsizetype begin = at + key.size();
    const quint64 bits =
        status.mid(begin, status.indexOf('\n', begin) - begin).trimmed().toULongLong(nullptr, 16);
    return ((bits >> sysPtrace) & 1) != 0;
}

} // namespace rankdeck

#include "agent/signalorder.h"

#include "agent/stacks/stacktools.h"
#include "numberranges.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

struct SignalWords {
    Q_DECLARE_TR_FUNCTIONS(rankdeck::SignalOrder)
};

/// Why it cannot be sent; empty: it can.
QString obstacle(int process, const QString &name, const RunState &state)
{
    const ProcessPlan &plan = state.plan->processes[static_cast<std::size_t>(process)];
    const RankState &rank = state.ranks[static_cast<std::size_t>(process)];
    const QString who = rankName(plan);
    if (rank.phase == RankPhase::Waiting)
        return SignalWords::tr("%1 was not sent to %2: it has not been started yet.").arg(name, who);
    if (rank.phase == RankPhase::Unknown || state.unreached.contains(plan.node))
        return SignalWords::tr("%1 was not sent to %2: %3 is not reached.").arg(name, who, plan.node);
    if (rank.phase != RankPhase::Running)
        return SignalWords::tr("%1 was not sent to %2: it has ended.").arg(name, who);
    return {};
}

} // namespace

SignalOrder signalOrder(const SignalRequest &request, const RunState &state)
{
    SignalOrder order;
    const QString name = ExitStatus::signalName(request.number);
    QList<int> ranks;
    for (const int process : request.processes) {
        if (process < 0 || process >= static_cast<int>(state.ranks.size()))
            continue;
        if (const QString why = obstacle(process, name, state); !why.isEmpty()) {
            order.refusals << signalRefusal(process, request.number, why);
            continue;
        }
        order.asked << process;
        const ProcessPlan &plan = state.plan->processes[static_cast<std::size_t>(process)];
        if (plan.role == Role::Worker)
            ranks << plan.rank.value;
    }
    std::sort(ranks.begin(), ranks.end());
    if (ranks.size() == 1)
        order.note = SignalWords::tr("%1 is sent to rank %2 on request.").arg(name).arg(ranks.first());
    else if (!ranks.isEmpty())
        order.note = SignalWords::tr("%1 is sent to ranks %2 on request.").arg(name, numberRanges(ranks));
    else if (!order.asked.isEmpty())
        order.note = SignalWords::tr("%1 is sent to the scheduler on request.").arg(name);
    return order;
}

RunEvent signalRefusal(int process, int number, const QString &why)
{
    RunEvent event = RunEvent::now(RunEvent::Kind::SignalSent, why);
    event.process = process;
    event.status = ExitStatus{ExitStatus::Kind::Signalled, number};
    return event;
}

} // namespace rankdeck

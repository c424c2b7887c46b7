// The journal, which windows and rankdeckctl read, and an agent's events, which its supervisor reads: both
// are lines.

#include "demand.h"
#include "launch/plan/launchplan.h"
#include "run/control/peer.h"
#include "run/record/runstate.h"

#include <cstdint>

using namespace rankdeck;

namespace
{

constexpr std::size_t processes = 3;

RunState stateOfARun()
{
    LaunchPlan plan;
    plan.processes.resize(processes);
    RunState state;
    state.setPlan(plan);
    return state;
}

void checkEvent(const RunEvent &event)
{
    const auto again = RunEvent::fromLine(event.toLine());
    demand(again && again->what.index() == event.what.index() && again->toLine() == event.toLine());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    LineBuffer lines(64 * 1024);
    lines.add(QByteArrayView(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size)));
    RunState state = stateOfARun();
    while (const auto line = lines.take()) {
        const auto event = RunEvent::fromLine(*line);
        if (!event)
            continue;
        checkEvent(*event);
        state.apply(*event);
        demand(state.ranks.size() == processes && state.plan->processes.size() == processes);
        demand(!phaseWord(state.phase).isEmpty());
    }
    return 0;
}

// What an agent reads from its supervisor, an order or none, and what a supervisor reads from an agent: the
// answers of its node.

#include "agent/channel/agentorders.h"
#include "agent/channel/clocks.h"
#include "agent/messages/nodereplies.h"
#include "agent/preflight/holders.h"
#include "demand.h"
#include "launch/plan/attempt.h"

#include <cstdint>

using namespace rankdeck;

namespace
{

/// Told again, an answer is the same.
template <typename Answer>
void hear(const QByteArray &line)
{
    const auto answer = Answer::fromLine(line);
    if (!answer)
        return;
    const QByteArray told = answer->toLine();
    demand(!told.contains('\n'));
    const auto again = Answer::fromLine(told);
    demand(again && again->toLine() == told);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    hear<GatheredFacts>(text);
    hear<PreparedNode>(text);
    hear<Holders>(text);
    ClockOffset clock;
    if (clock.note(text)) {
        const RunEvent event = RunEvent::now(events::Note());
        demand(clock.mapped(event).monotonicNs <= RunEvent::now(events::Note()).monotonicNs);
    }
    const auto order = orderFromLine(text);
    if (!order)
        return 0;
    const QByteArray line = orderLine(*order);
    demand(!line.contains('\n'));
    const auto again = orderFromLine(line);
    demand(again && again->index() == order->index() && orderLine(*again) == line);
    if (const auto *start = std::get_if<orders::Start>(&*order)) {
        demand(std::get<orders::Start>(*again).plan == start->plan);
        demand(forAttempt(start->plan, 1).processes.size() == start->plan.processes.size());
    }
    return 0;
}

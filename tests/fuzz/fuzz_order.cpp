// What an agent reads from its supervisor: an order, or no order.

#include "agent/agentprotocol.h"
#include "demand.h"
#include "launch/attempt.h"

#include <cstdint>

using namespace rankdeck;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto order =
        AgentOrder::fromLine(QByteArray(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size)));
    if (!order)
        return 0;
    const QByteArray line = order->toLine();
    demand(!line.contains('\n'));
    const auto again = AgentOrder::fromLine(line);
    demand(again && again->kind == order->kind && again->node == order->node && again->plan == order->plan &&
           again->processes == order->processes);
    const LaunchPlan plan = forAttempt(order->plan, 1);
    demand(plan.processes.size() == order->plan.processes.size());
    return 0;
}

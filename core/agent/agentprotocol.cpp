#include "agent/agentprotocol.h"

#include "json.h"

namespace rankdeck
{

QByteArray AgentOrder::toLine() const
{
    switch (kind) {
    case Kind::Heartbeat:
        return heartbeatLine;
    case Kind::Describe:
        return jsonText({{"do", "describe"}});
    case Kind::Start:
        return jsonText({{"do", "start"}, {"node", node}, {"plan", toCompactJson(plan)}});
    case Kind::TearDown:
        return jsonText({{"do", "tear-down"}});
    case Kind::Stop:
        return jsonText({{"do", "stop"}});
    case Kind::Kill:
        return jsonText({{"do", "kill"}});
    case Kind::StopProcesses:
        return jsonText({{"do", "stop-processes"}, {"processes", processes}});
    case Kind::KillProcesses:
        return jsonText({{"do", "kill-processes"}, {"processes", processes}});
    }
    return heartbeatLine;
}

std::optional<AgentOrder> AgentOrder::fromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object())
        return std::nullopt;
    AgentOrder order;
    const auto word = json->find("do");
    if (word == json->end())
        return order;
    if (*word == "describe") {
        order.kind = Kind::Describe;
        return order;
    }
    if (*word == "tear-down") {
        order.kind = Kind::TearDown;
        return order;
    }
    if (*word == "stop") {
        order.kind = Kind::Stop;
        return order;
    }
    if (*word == "kill") {
        order.kind = Kind::Kill;
        return order;
    }
    if (*word == "stop-processes" || *word == "kill-processes") {
        order.kind = *word == "stop-processes" ? Kind::StopProcesses : Kind::KillProcesses;
        try {
            json->at("processes").get_to(order.processes);
        } catch (const nlohmann::json::exception &) {
            return std::nullopt;
        }
        return order;
    }
    if (*word != "start" || !json->contains("plan") || !json->contains("node") ||
        !(*json)["node"].is_string())
        return std::nullopt;
    const auto plan = launchPlanFromJson((*json)["plan"]);
    if (!plan)
        return std::nullopt;
    order.kind = Kind::Start;
    order.plan = *plan;
    (*json)["node"].get_to(order.node);
    return order;
}

} // namespace rankdeck

#include "agent/channel/agentorders.h"

#include "agent/channel/agentprotocol.h"
#include "base/fields.h"
#include "base/json.h"

namespace rankdeck
{

static void visitFields(Fields &fields, FolderProbe &probe)
{
    fields("folder", probe.folder);
    fields("name", probe.name);
}

namespace orders
{

namespace
{

/// Carries two numbers as a list.
void visitPair(Fields &fields, int &first, int &second)
{
    QList<int> pair{first, second};
    fields("processes", pair);
    if (!fields.isReading())
        return;
    if (pair.size() != 2)
        return fields.reject("processes");
    first = pair.first();
    second = pair.last();
}

/// Carries a process as the only one of a plan.
void visitProcess(Fields &fields, ProcessPlan &process)
{
    LaunchPlan plan;
    plan.processes = {process};
    visitCompactPlan(fields, plan);
    if (plan.processes.size() == 1)
        process = std::move(plan.processes.front());
    else
        fields.reject("plan");
}

} // namespace

/// The fields of the orders without a function of their own: a member has the same key wherever it stands.
template <typename Order>
static void visitFields(Fields &fields, Order &order) requires requires
{
    Order::word;
}
{
    if constexpr (requires { order.heard; })
        fields("heard", order.heard);
    if constexpr (requires { order.plan; })
        visitCompactPlan(fields, order.plan);
    if constexpr (requires { order.environment; })
        fields("environment", order.environment);
    if constexpr (requires { order.node; })
        fields("node", order.node);
    if constexpr (requires { order.copiesLogs; })
        fields("copies_logs", order.copiesLogs);
    if constexpr (requires { order.files; })
        fields("files", order.files);
    if constexpr (requires { order.processes; })
        fields("processes", order.processes);
}

static void visitFields(Fields &fields, Gather &order)
{
    fields("spec", order.spec);
    fields("environment", order.environment);
    fields("silence", order.silenceSeconds);
    fields("rejoin_id", order.rejoinId);
}

static void visitFields(Fields &fields, Prepare &order)
{
    visitCompactPlan(fields, order.plan);
    fields("run_directory", order.runDirectory);
    fields("probes", order.probes);
    fields.newer("head", order.head);
    fields("node", order.node);
}

static void visitFields(Fields &fields, DumpStacks &order)
{
    fields("processes", order.processes);
    fields("signal", order.dumpSignal);
    fields.newer("urgent", order.isUrgent);
}

static void visitFields(Fields &fields, DumpRecorders &order)
{
    fields("seconds", order.seconds);
    fields("sends", order.sendsDumps);
}

static void visitFields(Fields &fields, AttachTool &order)
{
    visitProcess(fields, order.tool);
    if (order.tool.argv.isEmpty())
        fields.reject("plan");
    visitPair(fields, order.index, order.process);
}

static void visitFields(Fields &fields, NameRank &order)
{
    visitProcess(fields, order.found);
    visitPair(fields, order.index, order.pid);
    if (fields.isReading() && order.index <= 0)
        fields.reject("processes");
}

static void visitFields(Fields &fields, CheckNode &order)
{
    visitCompactPlan(fields, order.plan);
    fields("environment", order.environment);
    fields("imports", order.imports);
    fields("seconds", order.seconds);
    fields.newer("language", order.language);
    fields.entries("table_ips", order.tableIps, "device", "ip");
}

static void visitFields(Fields &fields, StartSelfTest &order)
{
    fields("ranks", order.ranks);
    fields("world_size", order.worldSize);
    fields("arguments", order.arguments);
}

static void visitFields(Fields &fields, TellRank &order)
{
    QList<int> ranks{order.rank};
    fields("ranks", ranks);
    fields("line", order.line);
    if (ranks.size() == 1)
        order.rank = ranks.first();
    else
        fields.reject("ranks");
}

static void visitFields(Fields &fields, Sample &order)
{
    fields("processes", order.processes);
    fields("interval", order.intervalMs);
    if (order.intervalMs < 0)
        fields.reject("interval");
    if (order.processes.size() > 1)
        fields.reject("processes");
}

} // namespace orders

void visitFields(Fields &fields, AgentOrder &order)
{
    fields.oneOf("do", order);
}

QByteArray orderLine(const AgentOrder &order)
{
    if (const auto *heartbeat = std::get_if<orders::Heartbeat>(&order))
        return heartbeat->heard == 0 ? QByteArray(heartbeatLine) : jsonTextOf(*heartbeat);
    return jsonTextOf(order);
}

std::optional<AgentOrder> orderFromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object())
        return std::nullopt;
    if (!json->contains("do"))
        return readJson<orders::Heartbeat>(*json).value_or(orders::Heartbeat());
    return readJson<AgentOrder>(*json);
}

} // namespace rankdeck

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

struct TableIp {
    int device = 0;
    QString ip;
};

void visitFields(Fields &fields, TableIp &entry)
{
    fields("device", entry.device);
    fields("ip", entry.ip);
}

void visitFields(Fields &fields, QMap<int, QString> &tableIps)
{
    std::vector<TableIp> entries;
    for (auto it = tableIps.cbegin(); it != tableIps.cend(); ++it)
        entries.push_back({it.key(), it.value()});
    fields("table_ips", entries);
    if (fields.isReading()) {
        for (const TableIp &entry : entries)
            tableIps.insert(entry.device, entry.ip);
    }
}

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

} // namespace

// Plans and specs are carried by orderLine() and orderFromLine().

static void visitFields(Fields &fields, Heartbeat &order)
{
    fields("heard", order.heard);
}

static void visitFields(Fields &fields, Rejoin &order)
{
    fields("heard", order.heard);
}

static void visitFields(Fields &fields, Gather &order)
{
    fields("environment", order.environment);
    fields("silence", order.silenceSeconds);
    fields("rejoin_id", order.rejoinId);
}

static void visitFields(Fields &fields, Prepare &order)
{
    fields("run_directory", order.runDirectory);
    fields("probes", order.probes);
    fields.newer("head", order.head);
    fields("node", order.node);
}

static void visitFields(Fields &fields, StartPrepared &order)
{
    fields("copies_logs", order.copiesLogs);
}

static void visitFields(Fields &fields, NodeShare &share)
{
    fields("environment", share.environment);
    fields("node", share.node);
}

static void visitFields(Fields &fields, Start &order)
{
    fields("node", order.node);
}

static void visitFields(Fields &fields, ReadFiles &order)
{
    fields("files", order.files);
}

static void visitFields(Fields &fields, StopProcesses &order)
{
    fields("processes", order.processes);
}

static void visitFields(Fields &fields, KillProcesses &order)
{
    fields("processes", order.processes);
}

static void visitFields(Fields &fields, StartProcesses &order)
{
    fields("processes", order.processes);
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
    visitPair(fields, order.index, order.process);
}

static void visitFields(Fields &fields, NameRank &order)
{
    visitPair(fields, order.index, order.pid);
    if (fields.isReading() && order.index <= 0)
        fields.reject("processes");
}

static void visitFields(Fields &fields, CheckNode &order)
{
    fields("environment", order.environment);
    fields("imports", order.imports);
    fields("seconds", order.seconds);
    fields.newer("language", order.language);
    visitFields(fields, order.tableIps);
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

using Json = nlohmann::json;

static LaunchPlan planOf(const ProcessPlan &process)
{
    LaunchPlan plan;
    plan.processes = {process};
    return plan;
}

/// Writes the plan and the spec of an order.
static void writePlans(const auto &order, Json &json)
{
    if constexpr (requires { order.plan; })
        json["plan"] = toJson(CompactPlan{order.plan});
    if constexpr (requires { order.tool; })
        json["plan"] = toJson(CompactPlan{planOf(order.tool)});
    if constexpr (requires { order.found; })
        json["plan"] = toJson(CompactPlan{planOf(order.found)});
    if constexpr (requires { order.spec; })
        json["spec"] = toJson(order.spec);
}

static bool readPlan(const Json &json, LaunchPlan &plan)
{
    auto read = launchPlanFromJson(json.value("plan", Json()));
    if (read)
        plan = std::move(read.value());
    return bool(read);
}

static bool readProcess(const Json &json, ProcessPlan &process)
{
    LaunchPlan plan;
    if (!readPlan(json, plan) || plan.processes.size() != 1)
        return false;
    process = plan.processes.front();
    return true;
}

/// Reads what writePlans() wrote. Returns false if it is not there.
static bool readPlans(auto &order, const Json &json)
{
    if constexpr (requires { order.plan; }) {
        if (!readPlan(json, order.plan))
            return false;
    }
    if constexpr (requires { order.tool; })
        return readProcess(json, order.tool) && !order.tool.argv.isEmpty();
    if constexpr (requires { order.found; })
        return readProcess(json, order.found);
    if constexpr (requires { order.spec; }) {
        const auto spec = launchSpecFromJson(json.value("spec", Json()));
        if (!spec)
            return false;
        order.spec = *spec;
    }
    return true;
}

QByteArray orderLine(const AgentOrder &order)
{
    if (const auto *heartbeat = std::get_if<orders::Heartbeat>(&order))
        return heartbeat->heard == 0 ? QByteArray(heartbeatLine) : jsonTextOf(*heartbeat);
    Json json;
    writeJson(json, order);
    std::visit([&](const auto &kind) { writePlans(kind, json); }, order);
    return jsonText(json);
}

std::optional<AgentOrder> orderFromLine(const QByteArray &line)
{
    const auto json = parseJson(line);
    if (!json || !json->is_object())
        return std::nullopt;
    if (!json->contains("do"))
        return readJson<orders::Heartbeat>(*json).value_or(orders::Heartbeat());
    auto order = readJson<AgentOrder>(*json);
    if (order && !std::visit([&](auto &kind) { return readPlans(kind, *json); }, *order))
        order.reset();
    return order;
}

} // namespace rankdeck

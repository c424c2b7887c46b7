// The JSON of a LaunchPlan, both ways.

#include "base/json.h"
#include "launch/plan/launchplan.h"

#include <algorithm>

namespace rankdeck
{

using Json = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlannedNode, node, host)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AllocationRequest, nodes, names)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ScratchDirectory, variable, roots)

static Json toJson(const RankTable &table)
{
    Json servers = Json::array();
    for (const Server &server : table.servers) {
        Json devices = Json::array();
        for (const Device &device : server.devices) {
            Json entry{{"device_id", device.deviceId.value}, {"device_ip", device.deviceIp}};
            if (device.rank)
                entry["rank"] = device.rank->value;
            devices.push_back(std::move(entry));
        }
        servers.push_back(Json{{"server_id", server.serverId}, {"devices", std::move(devices)}});
    }
    return servers;
}

static RankTable rankTableFrom(const Json &json)
{
    RankTable table;
    table.status = QStringLiteral("completed");
    for (const Json &entry : json) {
        Server server;
        entry.at("server_id").get_to(server.serverId);
        for (const Json &deviceEntry : entry.at("devices")) {
            Device device{DeviceId(deviceEntry.at("device_id").get<int>()),
                          deviceEntry.at("device_ip").get<QString>()};
            if (deviceEntry.contains("rank"))
                device.rank = Rank(deviceEntry["rank"].get<int>());
            server.devices.push_back(device);
        }
        table.servers.push_back(std::move(server));
    }
    return table;
}

static Role roleFrom(const Json &json)
{
    const auto word = json.get<QString>();
    for (const Role role : {Role::Scheduler, Role::Hook, Role::Tool, Role::Console}) {
        if (word == roleWord(role))
            return role;
    }
    return Role::Worker;
}

/// Visits the fields that are written unless all processes have them alike.
static void visitShared(auto &&field)
{
    field("node", &ProcessPlan::node);
    field("argv", &ProcessPlan::argv);
    field("unset", &ProcessPlan::removeVariables);
    field("work_dir", &ProcessPlan::workDir);
    field("make_directories", &ProcessPlan::makeDirectories);
}

/// Visits fields that are written like the shared ones, but may be missing in any plan that is read.
static void visitNewer(auto &&field)
{
    field("stderr", &ProcessPlan::stderrFile);
    field("cpus", &ProcessPlan::cpus);
}

/// Visits the fields that are written only where they differ from the usual value.
static void visitUnusual(auto &&field)
{
    field("console_prefix", &ProcessPlan::consolePrefix);
    field("copied_from", &ProcessPlan::copiedFrom);
    field("may_fail", &ProcessPlan::mayFail);
    field("found", &ProcessPlan::isFound);
    field("memory_nodes", &ProcessPlan::memoryNodes);
    field("nice", &ProcessPlan::nice);
    field("memory_limit_mib", &ProcessPlan::memoryLimitMiB);
    field("open_files", &ProcessPlan::openFiles);
    field("umask", &ProcessPlan::umask);
    field("wrapper_words", &ProcessPlan::wrapperWords);
    field("terminal", &ProcessPlan::hasTerminal);
}

/// @param common the values that need not be repeated; null: write all.
static Json toJson(const ProcessPlan &process, const ProcessPlan *common)
{
    Json json{{"role", roleWord(process.role)},
              {"rank", process.rank.value},
              {"local_rank", process.localRank.value},
              {"device", process.device.value},
              {"log", process.logFile}};
    const auto putUnlessCommon = [&](const char *key, const auto ProcessPlan::*field) {
        if (!common || common->*field != process.*field)
            json[key] = process.*field;
    };
    visitShared(putUnlessCommon);
    visitNewer(putUnlessCommon);
    json["set"] = Json::object();
    for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it) {
        if (!common || !common->setVariables.contains(it.key()))
            json["set"][it.key().toStdString()] = it.value();
    }
    const ProcessPlan asInherited;
    const ProcessPlan &usual = common ? *common : asInherited;
    if (process.console != usual.console)
        json["console"] = streamsWord(process.console);
    visitUnusual([&](const char *key, const auto ProcessPlan::*field) {
        if (process.*field != usual.*field)
            json[key] = process.*field;
    });
    return json;
}

/// @param common the values that `json` may leave out; null: it must have all.
static ProcessPlan processFrom(const Json &json, const ProcessPlan *common)
{
    ProcessPlan process = common ? *common : ProcessPlan();
    process.role = roleFrom(json.at("role"));
    process.rank = Rank(json.at("rank").get<int>());
    process.localRank = LocalRank(json.at("local_rank").get<int>());
    process.device = DeviceId(json.at("device").get<int>());
    json.at("log").get_to(process.logFile);
    const auto readIfThere = [&](const char *key, auto ProcessPlan::*field) {
        if (const auto found = json.find(key); found != json.end())
            found->get_to(process.*field);
    };
    visitShared([&](const char *key, auto ProcessPlan::*field) {
        if (!common)
            json.at(key).get_to(process.*field);
        else
            readIfThere(key, field);
    });
    visitNewer(readIfThere);
    process.setVariables.insert(json.at("set").get<QMap<QString, QString>>());
    if (json.contains("console"))
        process.console = streamsFrom(json["console"].get<QString>()).value_or(Streams::All);
    visitUnusual(readIfThere);
    process.wrapperWords = std::clamp(process.wrapperWords, 0, static_cast<int>(process.argv.size()));
    return process;
}

static Json toJson(const std::vector<ProcessPlan> &processes, const ProcessPlan *common = nullptr)
{
    Json json = Json::array();
    for (const ProcessPlan &process : processes)
        json.push_back(toJson(process, common));
    return json;
}

static std::vector<ProcessPlan> processesFrom(const Json &json, const ProcessPlan *common = nullptr)
{
    std::vector<ProcessPlan> processes;
    for (const Json &process : json)
        processes.push_back(processFrom(process, common));
    return processes;
}

/// Returns the last of `processes` with only the variables that all have alike.
static ProcessPlan commonOf(const std::vector<ProcessPlan> &processes)
{
    ProcessPlan common = processes.back();
    common.setVariables = commonVariables(processes);
    return common;
}

/// Visits the fields that every plan has.
static void visitRequired(auto &plan, auto &&field)
{
    field("launcher", plan.launcher);
    field("name", plan.name);
    field("job_id", plan.jobId);
    field("this_node", plan.thisNode);
    field("rank_table_file", plan.rankTableFile);
    field("destroy_when_finished", plan.destroyWhenFinished);
    field("raise_on_failure", plan.raiseOnFailure);
    field("grace", plan.graceSeconds);
    field("notes", plan.notes);
}

/// Visits the fields that are written only where they differ from a new plan's.
static void visitOptional(auto &&field)
{
    field("transport", &LaunchPlan::transport);
    field("empty_directory", &LaunchPlan::emptyDirectory);
    field("prompt_pattern", &LaunchPlan::promptPattern);
    field("needed_hbm_mb", &LaunchPlan::neededHbmMb);
    field("max_restarts", &LaunchPlan::maxRestarts);
    field("invented_npu_smi", &LaunchPlan::inventedNpuSmi);
}

static Json withoutProcesses(const LaunchPlan &plan)
{
    Json files = Json::array();
    for (const PlannedFile &file : plan.files)
        files.push_back(Json{{"path", file.path}, {"content", file.content.toStdString()}});
    Json json{{"world_size", plan.worldSize()},
              {"servers", toJson(plan.rankTable)},
              {"files", std::move(files)},
              {"overwrite_logs", plan.overwriteLogs}};
    visitRequired(plan, [&](const char *key, const auto &value) { json[key] = value; });
    const LaunchPlan empty;
    visitOptional([&](const char *key, auto LaunchPlan::*field) {
        if (plan.*field != empty.*field)
            json[key] = plan.*field;
    });
    if (!plan.transport.isEmpty())
        json["nodes"] = plan.nodes;
    if (plan.allocation)
        json["allocation"] = *plan.allocation;
    if (plan.adopted)
        json["adopted"] = Json{
            {"pid", plan.adopted->pid}, {"start_time", plan.adopted->startTime}, {"job", plan.adopted->job}};
    if (!plan.before.empty())
        json["before"] = toJson(plan.before);
    if (!plan.after.empty())
        json["after"] = toJson(plan.after);
    if (plan.scratch)
        json["scratch"] = *plan.scratch;
    for (const WaitingTimeout &timeout : plan.timeouts)
        json["timeouts"].push_back(Json{{"variable", timeout.variable},
                                        {"seconds", timeout.seconds},
                                        {"whom", static_cast<int>(timeout.whom)}});
    return json;
}

static WaitingTimeout timeoutFrom(const Json &json)
{
    constexpr int last = static_cast<int>(WaitingTimeout::Whom::Halted);
    return {json.at("variable").get<QString>(), json.at("seconds").get<int>(),
            static_cast<WaitingTimeout::Whom>(std::clamp(json.at("whom").get<int>(), 0, last))};
}

Json toJson(const LaunchPlan &plan)
{
    Json json = withoutProcesses(plan);
    json["processes"] = toJson(plan.processes);
    return json;
}

Json toCompactJson(const LaunchPlan &plan)
{
    Json json = withoutProcesses(plan);
    if (plan.processes.empty()) {
        json["processes"] = Json::array();
        return json;
    }
    const ProcessPlan common = commonOf(plan.processes);
    json["common"] = toJson(common, nullptr);
    json["processes"] = toJson(plan.processes, &common);
    return json;
}

Result<LaunchPlan> launchPlanFromJson(const Json &json)
{
    LaunchPlan plan;
    try {
        visitRequired(plan, [&](const char *key, auto &value) { json.at(key).get_to(value); });
        visitOptional([&](const char *key, auto LaunchPlan::*field) {
            if (json.contains(key))
                json[key].get_to(plan.*field);
        });
        plan.rankTable = rankTableFrom(json.at("servers"));
        const int worldSize = json.at("world_size").get<int>();
        plan.totalRanks = worldSize == plan.rankTable.deviceCount() ? 0 : worldSize;
        std::optional<ProcessPlan> common;
        if (json.contains("common"))
            common = processFrom(json["common"], nullptr);
        plan.processes = processesFrom(json.at("processes"), common ? &*common : nullptr);
        plan.before = processesFrom(json.value("before", Json::array()));
        plan.after = processesFrom(json.value("after", Json::array()));
        for (const Json &file : json.at("files"))
            plan.files.push_back({file.at("path").get<QString>(),
                                  QByteArray::fromStdString(file.at("content").get<std::string>())});
        plan.overwriteLogs = json.value("overwrite_logs", false);
        if (json.contains("scratch"))
            plan.scratch = json["scratch"].get<ScratchDirectory>();
        json.value("nodes", Json::array()).get_to(plan.nodes);
        if (json.contains("allocation"))
            plan.allocation = json["allocation"].get<AllocationRequest>();
        if (json.contains("adopted"))
            plan.adopted = AdoptedProcess{json["adopted"].at("pid").get<qint64>(),
                                          json["adopted"].at("start_time").get<quint64>(),
                                          json["adopted"].at("job").get<QString>()};
        for (const Json &timeout : json.value("timeouts", Json::array()))
            plan.timeouts.push_back(timeoutFrom(timeout));
    } catch (const Json::exception &error) {
        return Error{tr("cannot read the plan: %1").arg(QString::fromUtf8(error.what())), {}, {}};
    }
    return plan;
}

} // namespace rankdeck

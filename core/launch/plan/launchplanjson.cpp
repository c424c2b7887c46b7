// The JSON of a LaunchPlan, both ways.

#include "json.h"
#include "launch/launchplan.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

Json toJson(const RankTable &table)
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

RankTable rankTableFrom(const Json &json)
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

Role roleFrom(const Json &json)
{
    const auto word = json.get<QString>();
    for (const Role role : {Role::Scheduler, Role::Hook, Role::Tool}) {
        if (word == roleWord(role))
            return role;
    }
    return Role::Worker;
}

/// @param common what need not be said again; null: say all.
Json toJson(const ProcessPlan &process, const ProcessPlan *common)
{
    Json json{{"role", roleWord(process.role)},
              {"rank", process.rank.value},
              {"local_rank", process.localRank.value},
              {"device", process.device.value},
              {"log", process.logFile}};
    const auto put = [&](const char *key, const auto ProcessPlan::*field) {
        if (!common || common->*field != process.*field)
            json[key] = process.*field;
    };
    put("node", &ProcessPlan::node);
    put("argv", &ProcessPlan::argv);
    put("unset", &ProcessPlan::removeVariables);
    put("work_dir", &ProcessPlan::workDir);
    put("stderr", &ProcessPlan::stderrFile);
    put("cpus", &ProcessPlan::cpus);
    put("make_directories", &ProcessPlan::makeDirectories);
    Json variables = Json::object();
    for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it) {
        if (!common || !common->setVariables.contains(it.key()))
            variables[it.key().toStdString()] = it.value();
    }
    json["set"] = std::move(variables);

    const ProcessPlan asInherited;
    const ProcessPlan &usual = common ? *common : asInherited;
    const auto putUnusual = [&](const char *key, const auto ProcessPlan::*field) {
        if (process.*field != usual.*field)
            json[key] = process.*field;
    };
    if (process.console != usual.console)
        json["console"] = streamsWord(process.console);
    putUnusual("console_prefix", &ProcessPlan::consolePrefix);
    putUnusual("copied_from", &ProcessPlan::copiedFrom);
    putUnusual("may_fail", &ProcessPlan::mayFail);
    putUnusual("nice", &ProcessPlan::nice);
    putUnusual("memory_limit_mib", &ProcessPlan::memoryLimitMiB);
    putUnusual("open_files", &ProcessPlan::openFiles);
    putUnusual("umask", &ProcessPlan::umask);
    putUnusual("wrapper_words", &ProcessPlan::wrapperWords);
    putUnusual("terminal", &ProcessPlan::hasTerminal);
    return json;
}

/// @param common what `json` need not say; null: it must say all.
ProcessPlan processFrom(const Json &json, const ProcessPlan *common)
{
    ProcessPlan process = common ? *common : ProcessPlan();
    process.role = roleFrom(json.at("role"));
    process.rank = Rank(json.at("rank").get<int>());
    process.localRank = LocalRank(json.at("local_rank").get<int>());
    process.device = DeviceId(json.at("device").get<int>());
    json.at("log").get_to(process.logFile);
    const auto takeIfThere = [&](const char *key, auto &value) {
        if (const auto found = json.find(key); found != json.end())
            found->get_to(value);
    };
    const auto take = [&](const char *key, auto &value) {
        if (common)
            takeIfThere(key, value);
        else
            json.at(key).get_to(value);
    };
    take("node", process.node);
    take("argv", process.argv);
    take("unset", process.removeVariables);
    take("work_dir", process.workDir);
    take("make_directories", process.makeDirectories);
    takeIfThere("stderr", process.stderrFile);
    takeIfThere("cpus", process.cpus);
    process.setVariables.insert(json.at("set").get<QMap<QString, QString>>());
    if (json.contains("console"))
        process.console = streamsFrom(json["console"].get<QString>()).value_or(Streams::All);
    takeIfThere("console_prefix", process.consolePrefix);
    takeIfThere("copied_from", process.copiedFrom);
    takeIfThere("may_fail", process.mayFail);
    takeIfThere("nice", process.nice);
    takeIfThere("memory_limit_mib", process.memoryLimitMiB);
    takeIfThere("open_files", process.openFiles);
    takeIfThere("umask", process.umask);
    takeIfThere("wrapper_words", process.wrapperWords);
    process.wrapperWords = std::clamp(process.wrapperWords, 0, static_cast<int>(process.argv.size()));
    takeIfThere("terminal", process.hasTerminal);
    return process;
}

Json toJson(const std::vector<ProcessPlan> &processes, const ProcessPlan *common = nullptr)
{
    Json json = Json::array();
    for (const ProcessPlan &process : processes)
        json.push_back(toJson(process, common));
    return json;
}

std::vector<ProcessPlan> processesFrom(const Json &json, const ProcessPlan *common = nullptr)
{
    std::vector<ProcessPlan> processes;
    for (const Json &process : json)
        processes.push_back(processFrom(process, common));
    return processes;
}

/// The last of `processes`, with those of its variables that all have alike.
ProcessPlan commonOf(const std::vector<ProcessPlan> &processes)
{
    ProcessPlan common = processes.back();
    for (const ProcessPlan &process : processes) {
        for (auto it = common.setVariables.begin(); it != common.setVariables.end();) {
            const auto same = process.setVariables.constFind(it.key());
            const bool isCommon = same != process.setVariables.cend() && *same == *it;
            it = isCommon ? std::next(it) : common.setVariables.erase(it);
        }
    }
    return common;
}

Json withoutProcesses(const LaunchPlan &plan)
{
    Json files = Json::array();
    for (const PlannedFile &file : plan.files)
        files.push_back(Json{{"path", file.path}, {"content", file.content.toStdString()}});
    Json json{{"launcher", plan.launcher},
              {"name", plan.name},
              {"job_id", plan.jobId},
              {"this_node", plan.thisNode},
              {"world_size", plan.worldSize()},
              {"rank_table_file", plan.rankTableFile},
              {"servers", toJson(plan.rankTable)},
              {"files", std::move(files)},
              {"destroy_when_finished", plan.destroyWhenFinished},
              {"raise_on_failure", plan.raiseOnFailure},
              {"grace", plan.graceSeconds},
              {"overwrite_logs", plan.overwriteLogs},
              {"notes", plan.notes}};
    if (!plan.transport.isEmpty()) {
        json["transport"] = plan.transport;
        json["nodes"] = Json::array();
        for (const PlannedNode &node : plan.nodes)
            json["nodes"].push_back(Json{{"node", node.node}, {"host", node.host}});
    }
    if (plan.allocation)
        json["allocation"] = Json{{"nodes", plan.allocation->nodes}, {"names", plan.allocation->names}};
    if (!plan.before.empty())
        json["before"] = toJson(plan.before);
    if (!plan.after.empty())
        json["after"] = toJson(plan.after);
    if (plan.scratch)
        json["scratch"] = Json{{"variable", plan.scratch->variable}, {"roots", plan.scratch->roots}};
    if (!plan.emptyDirectory.isEmpty())
        json["empty_directory"] = plan.emptyDirectory;
    for (const WaitingTimeout &timeout : plan.timeouts)
        json["timeouts"].push_back(Json{{"variable", timeout.variable},
                                        {"seconds", timeout.seconds},
                                        {"whom", static_cast<int>(timeout.whom)}});
    if (!plan.promptPattern.isEmpty())
        json["prompt_pattern"] = plan.promptPattern;
    if (plan.neededHbmMb > 0)
        json["needed_hbm_mb"] = plan.neededHbmMb;
    if (plan.maxRestarts > 0)
        json["max_restarts"] = plan.maxRestarts;
    return json;
}

WaitingTimeout timeoutFrom(const Json &json)
{
    constexpr int last = static_cast<int>(WaitingTimeout::Whom::Halted);
    return {json.at("variable").get<QString>(), json.at("seconds").get<int>(),
            static_cast<WaitingTimeout::Whom>(std::clamp(json.at("whom").get<int>(), 0, last))};
}

} // namespace

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
        json.at("launcher").get_to(plan.launcher);
        json.at("name").get_to(plan.name);
        json.at("job_id").get_to(plan.jobId);
        json.at("this_node").get_to(plan.thisNode);
        json.at("rank_table_file").get_to(plan.rankTableFile);
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
        json.at("destroy_when_finished").get_to(plan.destroyWhenFinished);
        json.at("raise_on_failure").get_to(plan.raiseOnFailure);
        json.at("grace").get_to(plan.graceSeconds);
        plan.overwriteLogs = json.value("overwrite_logs", false);
        json.at("notes").get_to(plan.notes);
        if (json.contains("scratch"))
            plan.scratch = ScratchDirectory{json["scratch"].at("variable").get<QString>(),
                                            json["scratch"].at("roots").get<QStringList>()};
        plan.transport = json.value("transport", QString());
        for (const Json &node : json.value("nodes", Json::array()))
            plan.nodes.push_back({node.at("node").get<QString>(), node.at("host").get<QString>()});
        if (json.contains("allocation"))
            plan.allocation = AllocationRequest{json["allocation"].at("nodes").get<int>(),
                                                json["allocation"].at("names").get<QStringList>()};
        plan.emptyDirectory = json.value("empty_directory", QString());
        for (const Json &timeout : json.value("timeouts", Json::array()))
            plan.timeouts.push_back(timeoutFrom(timeout));
        plan.promptPattern = json.value("prompt_pattern", QString());
        plan.neededHbmMb = json.value("needed_hbm_mb", 0);
        plan.maxRestarts = json.value("max_restarts", 0);
    } catch (const Json::exception &error) {
        return Error{QCoreApplication::translate("LaunchPlan", "the plan cannot be read: %1")
                         .arg(QString::fromUtf8(error.what())),
                     {},
                     {}};
    }
    return plan;
}

} // namespace rankdeck

#include "launch/launchplan.h"

#include "json.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

using Json = nlohmann::json;

QString inRunDirectory(const QString &path, const QString &runDirectory)
{
    const QString placeholder = QString::fromLatin1(runDirectoryPlaceholder) + QLatin1Char('/');
    return path.startsWith(placeholder) ? runDirectory + QLatin1Char('/') + path.mid(placeholder.size())
                                        : path;
}

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

constexpr std::array roleWords{"worker", "scheduler", "hook"};

Role roleFrom(const Json &json)
{
    const auto &word = json.get_ref<const std::string &>();
    const auto found = std::find_if(roleWords.begin(), roleWords.end(),
                                    [&](const char *known) { return word == known; });
    return found == roleWords.end() ? Role::Worker : static_cast<Role>(found - roleWords.begin());
}

Json toJson(const ProcessPlan &process)
{
    Json json{{"role", roleWords.at(static_cast<std::size_t>(process.role))},
              {"rank", process.rank.value},
              {"local_rank", process.localRank.value},
              {"node", process.node},
              {"device", process.device.value},
              {"argv", process.argv},
              {"set", process.setVariables},
              {"unset", process.removeVariables},
              {"work_dir", process.workDir},
              {"log", process.logFile},
              {"stderr", process.stderrFile},
              {"cpus", process.cpus},
              {"make_directories", process.makeDirectories}};
    if (process.console != Streams::All)
        json["console"] = streamsWord(process.console);
    if (!process.consolePrefix.isEmpty())
        json["console_prefix"] = process.consolePrefix;
    if (process.mayFail)
        json["may_fail"] = true;
    const ProcessPlan asInherited;
    const auto setUnlessInherited = [&](const char *key, int ProcessPlan::*field) {
        if (process.*field != asInherited.*field)
            json[key] = process.*field;
    };
    setUnlessInherited("nice", &ProcessPlan::nice);
    setUnlessInherited("memory_limit_mib", &ProcessPlan::memoryLimitMiB);
    setUnlessInherited("open_files", &ProcessPlan::openFiles);
    setUnlessInherited("umask", &ProcessPlan::umask);
    return json;
}

ProcessPlan processFrom(const Json &json)
{
    ProcessPlan process;
    process.role = roleFrom(json.at("role"));
    process.rank = Rank(json.at("rank").get<int>());
    process.localRank = LocalRank(json.at("local_rank").get<int>());
    json.at("node").get_to(process.node);
    process.device = DeviceId(json.at("device").get<int>());
    json.at("argv").get_to(process.argv);
    json.at("set").get_to(process.setVariables);
    json.at("unset").get_to(process.removeVariables);
    json.at("work_dir").get_to(process.workDir);
    json.at("log").get_to(process.logFile);
    process.stderrFile = json.value("stderr", QString());
    process.cpus = json.value("cpus", QList<int>());
    process.nice = json.value("nice", process.nice);
    process.memoryLimitMiB = json.value("memory_limit_mib", process.memoryLimitMiB);
    process.openFiles = json.value("open_files", process.openFiles);
    process.umask = json.value("umask", process.umask);
    json.at("make_directories").get_to(process.makeDirectories);
    process.console = streamsFrom(json.value("console", QString())).value_or(Streams::All);
    process.consolePrefix = json.value("console_prefix", QString());
    process.mayFail = json.value("may_fail", false);
    return process;
}

Json toJson(const std::vector<ProcessPlan> &processes)
{
    Json json = Json::array();
    for (const ProcessPlan &process : processes)
        json.push_back(toJson(process));
    return json;
}

std::vector<ProcessPlan> processesFrom(const Json &json)
{
    std::vector<ProcessPlan> processes;
    for (const Json &process : json)
        processes.push_back(processFrom(process));
    return processes;
}

} // namespace

QString ProcessPlan::label() const
{
    if (role != Role::Worker)
        return QString::fromLatin1(roleWords.at(static_cast<std::size_t>(role)));
    if (device == noDevice)
        return QStringLiteral("proc-rank-%1").arg(rank.value);
    return QStringLiteral("proc-rank-%1-device-%2").arg(rank.value).arg(device.value);
}

LaunchPlan withRunDirectory(LaunchPlan plan, const QString &runDirectory)
{
    const auto settle = [&](QString &path) {
        path = inRunDirectory(path, runDirectory);
    };
    settle(plan.rankTableFile);
    for (PlannedFile &file : plan.files)
        settle(file.path);
    for (std::vector<ProcessPlan> *list : {&plan.before, &plan.processes, &plan.after}) {
        for (ProcessPlan &process : *list) {
            settle(process.logFile);
            settle(process.stderrFile);
            for (QString &directory : process.makeDirectories)
                settle(directory);
            for (QString &value : process.setVariables)
                settle(value);
        }
    }
    return plan;
}

Json toJson(const LaunchPlan &plan)
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
              {"processes", toJson(plan.processes)},
              {"files", std::move(files)},
              {"destroy_when_finished", plan.destroyWhenFinished},
              {"raise_on_failure", plan.raiseOnFailure},
              {"grace", plan.graceSeconds},
              {"overwrite_logs", plan.overwriteLogs},
              {"notes", plan.notes}};
    if (!plan.before.empty())
        json["before"] = toJson(plan.before);
    if (!plan.after.empty())
        json["after"] = toJson(plan.after);
    if (plan.scratch)
        json["scratch"] = Json{{"variable", plan.scratch->variable}, {"roots", plan.scratch->roots}};
    if (!plan.emptyDirectory.isEmpty())
        json["empty_directory"] = plan.emptyDirectory;
    if (plan.maxRestarts > 0)
        json["max_restarts"] = plan.maxRestarts;
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
        plan.processes = processesFrom(json.at("processes"));
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
        plan.emptyDirectory = json.value("empty_directory", QString());
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

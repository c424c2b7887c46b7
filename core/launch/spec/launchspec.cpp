#include "launch/spec/launchspec.h"

#include "base/fields.h"
#include "base/json.h"
#include "launch/spec/startprocesses.h"

#include <array>
#include <type_traits>

namespace rankdeck
{

using Json = nlohmann::json;

static void to_json(Json &json, Streams streams)
{
    json = streamsWord(streams);
}

/// A number from 0 to 3 or a word; anything else is a value of the wrong type.
static void from_json(const Json &json, Streams &streams)
{
    const QString text = json.is_number_integer() ? QString::number(json.get<int>()) : json.get<QString>();
    const auto read = streamsFrom(text);
    streams = read ? *read : static_cast<Streams>(json.get<std::array<int, 1>>().front());
}

namespace
{

template <typename T, typename Wanted>
concept Is = std::is_same_v<std::remove_const_t<T>, Wanted>;

// Every field once, for both directions.

void visit(Is<CommonOptions> auto &options, auto &&field)
{
    field("conda_env", options.condaEnv);
    field("env_files", options.envFiles);
    field("unset_env", options.unsetVariables);
    field("rank_env", options.rankEnvironment);
    field("bind_core", options.bindCore);
    field("nice", options.nice);
    field("memory_limit_mib", options.memoryLimitMiB);
    field("open_files", options.openFiles);
    field("umask", options.umask);
    field("tty", options.terminals);
    field("prompt_pattern", options.promptPattern);
    field("wrap", options.wrappers);
    field("progress_pattern", options.progressPattern);
    field("stall_after", options.stallAfterSeconds);
    field("needs_hbm_mb", options.neededHbmMb);
    field("sample_every", options.sampleEverySeconds);
    field("dump_signal", options.dumpSignal);
    field("flight_recorder", options.flightRecorder);
    field("ports", options.ports);
    field("takes_evidence", options.takesEvidence);
    field("before", options.before);
    field("after", options.after);
}

void visit(Is<NodeOptions> auto &options, auto &&field)
{
    field("list", options.list);
    field("transport", options.transport);
    field("transport_command", options.transportCommand);
    field("ssh_config", options.sshConfig);
    field("program", options.program);
    field("mirror", options.mirror);
    field("slurm_options", options.slurmOptions);
    field("slurm_wait", options.slurmWaitSeconds);
    field("silence", options.silenceSeconds);
}

void visit(Is<MsrunOptions> auto &options, auto &&field)
{
    field("worker_num", options.workerNum);
    field("local_worker_num", options.localWorkerNum);
    field("master_addr", options.masterAddr);
    field("master_port", options.masterPort);
    field("node_rank", options.nodeRank);
    field("join", options.join);
    field("cluster_time_out", options.clusterTimeOut);
    field("sim_level", options.simLevel);
    field("sim_rank_id", options.simRankId);
    field("bind_numa", options.bindNuma);
    field("worker_log_name", options.workerLogName);
    field("tail_worker_log", options.tailWorkerLog);
}

void visit(Is<ProcessesOptions> auto &options, auto &&field)
{
    field("args", options.args);
    field("envs", options.envs);
    field("redirects", options.redirects);
    field("tee", options.tee);
    field("default_redirect", options.defaultRedirect);
    field("default_tee", options.defaultTee);
    field("nproc", options.nproc);
    field("nnodes", options.nnodes);
    field("node_rank", options.nodeRank);
    field("master_addr", options.masterAddr);
    field("master_port", options.masterPort);
    field("role", options.role);
    field("max_restarts", options.maxRestarts);
    field("nproc_of", options.nprocOf);
    field("standalone", options.standalone);
    field("virtual_local_rank", options.virtualLocalRank);
    field("numa_binding", options.numaBinding);
    field("log_line_prefixes", options.linePrefixes);
    field("log_line_prefix_template", options.linePrefixTemplate);
    field("local_ranks_filter", options.localRanksFilter);
    field("signals_to_handle", options.signalsToHandle);
    field("function", options.function);
}

void visit(Is<LaunchSpec> auto &spec, auto &&field)
{
    field("launcher", spec.launcher);
    field("name", spec.name);
    field("command", spec.command);
    field("work_dir", spec.workDir);
    field("log_dir", spec.logDir);
    field("rank_table", spec.rankTableFile);
    field("server", spec.server);
    field("converted_rank_table", spec.convertedRankTable);
    field("wait", spec.rankTableWaitSeconds);
    field("random_cache_dir", spec.randomCacheDir);
    field("destroy_when_finished", spec.destroyWhenFinished);
    field("raise_on_failure", spec.raiseOnFailure);
    field("grace", spec.graceSeconds);
    field("environment", spec.environment);
    field("demo", spec.isDemo);
    field("common", spec.common);
    field("nodes", spec.nodes);
    field("msrun", spec.msrun);
    field("processes", spec.processes);
}

template <typename T>
concept Fields = std::is_same_v<T, LaunchSpec> || std::is_same_v<T, CommonOptions> ||
    std::is_same_v<T, NodeOptions> || std::is_same_v<T, MsrunOptions> || std::is_same_v<T, ProcessesOptions>;

/// The first key that is unknown or of the wrong type, with what is wrong.
struct WrongKey {
    QString key;
    bool isKnown = false;
};

template <Fields T>
Json objectOf(const T &fields);
template <Fields T>
std::optional<WrongKey> readObject(const Json &json, T &fields);

Json valueOf(const auto &value)
{
    return value;
}

template <Fields T>
Json valueOf(const T &fields)
{
    return objectOf(fields);
}

/// JSON has no keys but strings.
template <typename T>
Json valueOf(const QMap<int, T> &map)
{
    Json json = Json::object();
    for (auto it = map.begin(); it != map.end(); ++it)
        json[std::to_string(it.key())] = it.value();
    return json;
}

std::optional<WrongKey> readValue(const Json &json, auto &value)
{
    json.get_to(value);
    return std::nullopt;
}

template <Fields T>
std::optional<WrongKey> readValue(const Json &json, T &fields)
{
    return readObject(json, fields);
}

/// torch's rules beside those of every object: redirects and tee may be one value for all local ranks, what
/// they do not name is not redirected once one of them is given, and args or envs say how many ranks there
/// are.
std::optional<WrongKey> readValue(const Json &json, ProcessesOptions &options)
{
    Json given = json.get_ref<const Json::object_t &>();
    if (const auto nproc = given.find("nproc"); nproc != given.end() && nproc->is_string()) {
        given["nproc_of"] = *nproc;
        given.erase("nproc");
    }
    const bool choosesStreams = given.contains("redirects") || given.contains("default_redirect") ||
                                given.contains("tee") || given.contains("default_tee");
    if (choosesStreams)
        options.defaultRedirect = options.defaultTee = Streams::None;
    for (const auto &[key, otherwise] :
         {std::pair("redirects", "default_redirect"), std::pair("tee", "default_tee")}) {
        if (given.contains(key) && !given[key].is_object()) {
            try {
                static_cast<void>(given[key].get<Streams>());
            } catch (const Json::exception &) {
                return WrongKey{QLatin1String(key), true};
            }
            given[otherwise] = given[key];
            given.erase(key);
        }
    }
    const auto wrong = readObject(given, options);
    if (!given.contains("nproc") && !given.contains("nproc_of") &&
        (!options.args.isEmpty() || !options.envs.isEmpty()))
        options.nproc = static_cast<int>(options.args.isEmpty() ? options.envs.size() : options.args.size());
    return wrong;
}

template <typename T>
std::optional<WrongKey> readValue(const Json &json, QMap<int, T> &map)
{
    for (const auto &[key, value] : json.get_ref<const Json::object_t &>()) {
        bool isNumber = false;
        const int number = QString::fromStdString(key).toInt(&isNumber);
        if (!isNumber || QString::number(number) != QString::fromStdString(key))
            return WrongKey{QString::fromStdString(key), false};
        map.insert(number, value.template get<T>());
    }
    return std::nullopt;
}

template <Fields T>
Json objectOf(const T &fields)
{
    Json json = Json::object();
    visit(fields, [&](const char *key, const auto &value) { json[key] = valueOf(value); });
    return json;
}

template <Fields T>
std::optional<WrongKey> readObject(const Json &json, T &fields)
{
    Json rest = json.get_ref<const Json::object_t &>();
    std::optional<WrongKey> wrong;
    visit(fields, [&](const char *key, auto &value) {
        const auto found = rest.find(key);
        if (found == rest.end())
            return;
        try {
            if (const auto inside = readValue(*found, value))
                wrong = WrongKey{QLatin1String(key) + QLatin1Char('.') + inside->key, inside->isKnown};
        } catch (const Json::exception &) {
            wrong = WrongKey{QLatin1String(key), true};
        }
        rest.erase(found);
    });
    if (!wrong && !rest.empty())
        wrong = WrongKey{QString::fromStdString(rest.begin().key()), false};
    return wrong;
}

/// Runs of the first version have it among msrun's options.
Json withBindCoreOfAll(Json json)
{
    const auto msrun = json.find("msrun");
    if (msrun == json.end() || !msrun->is_object() || !msrun->contains("bind_core"))
        return json;
    Json &common = json["common"];
    if (common.is_null() || (common.is_object() && !common.contains("bind_core")))
        common["bind_core"] = json["msrun"]["bind_core"];
    json["msrun"].erase("bind_core");
    return json;
}

} // namespace

Json toJson(const LaunchSpec &spec)
{
    return objectOf(spec);
}

Result<LaunchSpec> launchSpecFromJson(const Json &json)
{
    if (!json.is_object())
        return Error{tr("a launch is a JSON object"), {}, {}};
    LaunchSpec spec;
    if (const auto wrong = readObject(withBindCoreOfAll(json), spec))
        return Error{wrong->isKnown ? tr("this option has a value of the wrong type") : tr("unknown option"),
                     wrong->key,
                     {}};
    return spec;
}

void visitFields(rankdeck::Fields &fields, LaunchSpec &spec)
{
    nlohmann::json json;
    if (!fields.isReading())
        json = toJson(spec);
    fields.any(json);
    if (!fields.isReading())
        return;
    if (const auto read = launchSpecFromJson(json))
        spec = *read;
    else
        fields.reject("");
}

LaunchSpec processesDefaults()
{
    LaunchSpec spec;
    spec.launcher = QStringLiteral("processes");
    spec.logDir.clear();
    spec.graceSeconds = 30;
    return spec;
}

LaunchSpec wrapDefaults()
{
    LaunchSpec spec = processesDefaults();
    spec.launcher = QStringLiteral("wrap");
    return spec;
}

Result<LaunchSpec> processesSpecFromJson(const QByteArray &text, QStringList *notes)
{
    auto json = parseJson(text);
    if (!json)
        return Error{tr("this is not JSON"), {}, {}};
    const bool isFlat = json->is_object() && json->contains("entrypoint");
    if (isFlat) {
        QStringList found;
        if (const auto error = takeStartProcesses(*json, text, found))
            return *error;
        if (notes)
            *notes += found;
    }
    if (json->is_object()) {
        const LaunchSpec defaults = processesDefaults();
        const auto setUnlessSet = [&](const char *key, nlohmann::json value) {
            if (!json->contains(key))
                (*json)[key] = std::move(value);
        };
        setUnlessSet("launcher", defaults.launcher);
        setUnlessSet("log_dir", defaults.logDir);
        setUnlessSet("grace", defaults.graceSeconds);
    }
    auto spec = launchSpecFromJson(*json);
    if (!spec && isFlat)
        return Error{spec.error().what, startProcessesKey(spec.error().where), spec.error().mend};
    if (spec && spec->launcher != QLatin1String("processes"))
        return Error{tr("this launch is for the launcher \"%1\"").arg(spec->launcher),
                     QStringLiteral("launcher"), tr("Write \"processes\", or omit it.")};
    return spec;
}

std::optional<LaunchSpec> onDevices(LaunchSpec spec, const QList<int> &devices)
{
    if (devices.isEmpty() || spec.nodes.isForNodes())
        return std::nullopt;
    const auto free = static_cast<int>(devices.size());
    int count = 0;
    if (spec.launcher == QLatin1String("msrun") && spec.msrun.workerNum == spec.msrun.localWorkerNum) {
        count = qMin(spec.msrun.workerNum, free);
        spec.msrun.workerNum = spec.msrun.localWorkerNum = count;
    } else if (spec.launcher == QLatin1String("processes") && spec.processes.nnodes == 1 &&
               spec.processes.args.isEmpty() && spec.processes.envs.isEmpty()) {
        count = spec.processes.nprocOf.isEmpty() ? qMin(spec.processes.nproc, free) : free;
        spec.processes.nproc = count;
        spec.processes.nprocOf.clear();
    }
    if (count <= 0)
        return std::nullopt;
    QStringList chosen;
    for (const int device : devices.mid(0, count))
        chosen << QString::number(device);
    spec.environment.insert(QStringLiteral("ASCEND_RT_VISIBLE_DEVICES"), chosen.join(QLatin1Char(',')));
    return spec;
}

} // namespace rankdeck

#include "launch/planning/planners.h"

#include "base/filename.h"
#include "launch/host/platform.h"
#include "launch/planning/launchbasics.h"
#include "launch/planning/thisserver.h"
#include "launch/spec/optionrows.h"
#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/table/ranktablelocation.h"
#include "ranktable/table/ranktablewriter.h"

#include <QSet>

namespace rankdeck
{

namespace
{

/// Data that the ranks of one node share while davincirun's plan is made.
struct DavincirunNode {
    const LaunchSpec &spec;
    const HostFacts &facts;
    const LaunchPlan &plan; ///< Job, world size and rank table are known.
    const Server &server;
    const PlatformChannels &channels;
    const PlatformOperator &op;
    QString logDir;
};

/// Up to this driver DEVICE_ID is the physical id and ASCEND_DEVICE_ID does not exist.
bool usesPhysicalDeviceId(const HostFacts &facts)
{
    return facts.driverVersion.startsWith("Version=20.1.0"_L1);
}

/// The job's directory below the log directory.
QString jobLogDir(const DavincirunNode &node)
{
    return u"%1/%2"_s.arg(node.logDir, asFileName(node.plan.jobId));
}

QMap<QString, QString> variablesFor(const DavincirunNode &node, const Device &device, DeviceId shownDevice)
{
    const auto number = [](int value) {
        return QString::number(value);
    };
    QMap<QString, QString> variables{
        {u"JOB_ID"_s, node.plan.jobId},
        {u"RANK_ID"_s, number(device.rank->value)},
        {u"RANK_SIZE"_s, number(node.plan.worldSize())},
        {u"DEVICE_ID"_s, number(shownDevice.value)},
        {u"RANK_START"_s, number(node.server.devices.front().rank->value)},
        {u"RANK_TABLE_FILE"_s, node.plan.rankTableFile},
        {u"MA_CURRENT_HOST_IP"_s, node.server.serverId},
    };
    if (!usesPhysicalDeviceId(node.facts))
        variables.insert(u"ASCEND_DEVICE_ID"_s, number(shownDevice.value));
    if (node.op.isIdeMode)
        variables.insert(u"SLOG_PRINT_TO_STDOUT"_s, u"1"_s);
    variables.insert(node.channels.set);
    const auto defaults = platformDefaults(node.facts.environment, jobLogDir(node), *device.rank);
    for (auto it = defaults.begin(); it != defaults.end(); ++it) {
        if (!node.facts.environment.contains(it.key()))
            variables.insert(it.key(), it.value());
    }
    variables.insert(node.spec.environment);
    return variables;
}

std::optional<Error> checkRanges(const LaunchSpec &spec)
{
    if (const auto error = problemWithBasics(spec))
        return error;
    return outOfRange(davincirunRows(), spec);
}

/// The launcher starts a process for each device of a server, so there must be servers with devices.
std::optional<Error> problemWithForm(RankTableForm form)
{
    switch (form) {
    case RankTableForm::GroupList:
    case RankTableForm::LabGroupList:
    case RankTableForm::ServerList:
    case RankTableForm::SuperPodList:
        return std::nullopt;
    case RankTableForm::NodeList:
    case RankTableForm::RankList:
    case RankTableForm::ServerGroupList:
        break;
    }
    return Error{tr("davincirun cannot use a rank table of %1: it does not say which ranks run on which host")
                     .arg(formName(form)),
                 {},
                 tr("Use template 2, version 1.0 or version 1.2.")};
}

/// A table whose ranks are not 0..n-1 would give two processes one identity.
std::optional<Error> checkRanks(const RankTable &table, const QString &tablePath)
{
    QSet<int> seen;
    for (const Server &server : table.servers) {
        for (const Device &device : server.devices) {
            const int rank = device.rank.value_or(Rank(-1)).value;
            if (rank < 0 || rank >= table.deviceCount() || seen.contains(rank))
                return Error{tr("rank_id %1 of device %2 on server %3 is used twice or is not below %4")
                                 .arg(rank)
                                 .arg(device.deviceId.value)
                                 .arg(server.serverId)
                                 .arg(table.deviceCount()),
                             tablePath, tr("Number the ranks of all servers from 0 without gaps.")};
            seen.insert(rank);
        }
    }
    return std::nullopt;
}

/// Returns the part of the table that a plan keeps.
RankTable servers(const RankTable &table)
{
    RankTable kept;
    kept.status = table.status;
    for (const Server &server : table.servers) {
        Server &copy = kept.servers.emplace_back(Server{server.serverId});
        for (const Device &device : server.devices)
            copy.devices.push_back({device.deviceId, device.deviceIp, device.rank});
    }
    return kept;
}

/// Adds the driver's programs that davincirun runs on the node beside the ranks.
void addDriverHooks(LaunchPlan &plan, const HostFacts &facts)
{
    if (!facts.slogdPath.isEmpty()) {
        plan.before.push_back(hook({facts.slogdPath}));
        plan.before.back().mayFail = true;
    }
    if (!facts.stopScriptPath.isEmpty())
        plan.after.push_back(hook({facts.stopScriptPath}));
}

/// A Python script alone is run by Python, as davincirun does.
QStringList commandOf(const DavincirunNode &node)
{
    const QStringList &command = node.spec.command;
    return command.first().endsWith(".py"_L1)
               ? QStringList{scriptInterpreter(node.spec, node.facts)} + command
               : command;
}

/// The process of the server's device at `index`.
ProcessPlan davincirunRank(const DavincirunNode &node, int index)
{
    const Device &device = node.server.devices[index];
    ProcessPlan process;
    process.rank = *device.rank;
    process.localRank = LocalRank(index);
    process.node = node.server.serverId;
    process.device = usesPhysicalDeviceId(node.facts) ? device.deviceId : DeviceId(index);
    process.argv = withLocalRank(commandOf(node), process.localRank.value);
    process.workDir = absoluteWorkDir(node.spec, node.facts);
    process.logFile = u"%1-%2.txt"_s.arg(jobLogDir(node), process.label());
    process.setVariables = variablesFor(node, device, process.device);
    process.removeVariables = node.channels.remove;
    // The user makes directories that the user names.
    const auto defaults = platformDefaults(node.facts.environment, jobLogDir(node), process.rank);
    const auto makeBelow = [&](const QString &name, const QString &folder) {
        const QString path = defaults.value(name);
        if (!path.isEmpty() && process.setVariables.value(name) == path)
            process.makeDirectories << path + folder;
    };
    makeBelow(u"ASCEND_PROCESS_LOG_PATH"_s, {});
    makeBelow(u"NPU_COLLECT_PATH"_s, u"/extra-info/graph"_s);
    process.makeDirectories << process.workDir;
    return process;
}

/// Names what platformDefaults() would set and the environment has set already; empty if there is nothing.
QList<Sentence> notesOnKept(const DavincirunNode &node)
{
    constexpr int shown = 40;
    QStringList kept;
    const auto defaults = platformDefaults(node.facts.environment, jobLogDir(node), Rank(0));
    for (auto it = defaults.begin(); it != defaults.end(); ++it) {
        if (!node.facts.environment.contains(it.key()) || node.spec.environment.contains(it.key()))
            continue;
        const QString value = node.facts.environment.value(it.key());
        kept << u"%1=%2"_s.arg(it.key(), value.size() > shown ? value.left(shown) + u"…"_s : value);
    }
    if (kept.isEmpty())
        return {};
    return {Sentence::tr("Already set, and kept: %1.").arg(kept.join(", "_L1))};
}

} // namespace

QString davincirunJobId(const HostFacts &facts)
{
    const QProcessEnvironment &environment = facts.environment;
    if (environment.contains(u"BATCH_JOB_ID"_s))
        return environment.value(u"BATCH_JOB_ID"_s);
    if (environment.contains(u"MA_VJ_NAME"_s)) {
        QString name = environment.value(u"MA_VJ_NAME"_s);
        const QLatin1String oldPrefix("ma-job");
        const auto at = name.indexOf(oldPrefix);
        return at < 0 ? name : name.replace(at, oldPrefix.size(), "modelarts-job"_L1);
    }
    return facts.hostName;
}

Result<LaunchPlan> planDavincirun(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                                  const HostFacts &facts)
{
    if (const auto error = checkRanges(spec))
        return *error;
    if (!table.isCompleted())
        return Error{
            tr("the rank table's status is \"%1\", not \"completed\"").arg(table.status), tablePath, {}};
    const auto atTable = [&](Error error) {
        if (error.where.isEmpty())
            error.where = tablePath;
        return error;
    };
    if (const auto error = problemWithForm(table.form))
        return atTable(*error);
    const auto converted = convertToServerList(table);
    if (!converted)
        return atTable(converted.error());
    const auto thisServer = findThisServer(table, spec.server, facts);
    if (!thisServer)
        return atTable(thisServer.error());
    const QString &serverId = thisServer->serverId;
    if (const auto error = checkRanks(*converted, tablePath))
        return *error;
    const auto channels = platformChannels(facts.environment);
    if (!channels)
        return channels.error();
    const auto op = platformOperator(facts.environment);
    if (!op)
        return op.error();
    const Server *server = converted->findServer(serverId);
    if (server->devices.empty())
        return Error{tr("server %1 has no device").arg(serverId), tablePath, {}};

    LaunchPlan plan = planBeginning(u"davincirun"_s, spec);
    plan.jobId = davincirunJobId(facts);
    plan.thisNode = serverId;
    plan.rankTable = servers(*converted);
    plan.destroyWhenFinished = spec.destroyWhenFinished;
    if (converted->form != table.form) {
        const QString home =
            QString::fromLatin1(facts.platformHomeIsWritable ? platformHome : runDirectoryPlaceholder);
        plan.rankTableFile = absoluteLaunchPath(
            convertedRankTablePath(spec.convertedRankTable, facts.environment, home), facts);
        plan.files.push_back({plan.rankTableFile, toJson(*converted)});
        if (spec.convertedRankTable.isEmpty() &&
            plan.rankTableFile.startsWith(QLatin1String(runDirectoryPlaceholder)))
            plan.notes << Sentence::tr(
                              "Cannot write %1, so the converted rank table is in the run directory.")
                              .arg(QLatin1String(platformHome));
    } else {
        plan.rankTableFile = absoluteLaunchPath(tablePath, facts);
    }
    if (spec.randomCacheDir)
        plan.scratch = ScratchDirectory{u"MS_COMPILER_CACHE_PATH"_s, {u"/cache"_s, facts.temporaryDirectory}};
    const QString logDir = absoluteLogDir(spec, facts);
    const DavincirunNode node{spec, facts, plan, *server, *channels, *op, logDir};
    plan.notes << notesOnModes(facts.environment) << notesOnKept(node);
    if (op->hasArchive)
        plan.notes << Sentence::tr(
            "MA_ALGORITHM_OPERATOR names an archive of operators. This launch does not install "
            "it: use --before.");
    addDriverHooks(plan, facts);
    std::vector<ProcessPlan> processes;
    for (int index = 0; index < static_cast<int>(server->devices.size()); ++index)
        processes.push_back(davincirunRank(node, index));
    plan.processes = std::move(processes);
    return plan;
}

} // namespace rankdeck

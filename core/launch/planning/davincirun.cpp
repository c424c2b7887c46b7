#include "launch/davincirun.h"

#include "launch/davincirunrank.h"
#include "launch/hooks.h"
#include "launch/launchbasics.h"
#include "launch/platformchannels.h"
#include "launch/platformmodes.h"
#include "launch/platformoperator.h"
#include "ranktable/ranktableconversion.h"
#include "ranktable/ranktablelocation.h"
#include "ranktable/ranktablewriter.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSet>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text, int n = -1)
{
    return QCoreApplication::translate("davincirun", text, nullptr, n);
}

QString listOf(const RankTable &table)
{
    QStringList names;
    for (const Server &server : table.servers)
        names << (server.podName.isEmpty() ? server.serverId
                                           : QStringLiteral("%1 (%2)").arg(server.podName, server.serverId));
    constexpr int shown = 16;
    const auto more = names.size() - shown;
    QString text = names.mid(0, shown).join(QLatin1String(", "));
    return more > 0 ? tr("%1 and %2 more").arg(text).arg(more) : text;
}

std::optional<Error> checkRanges(const LaunchSpec &spec)
{
    if (const auto error = problemWithBasics(spec))
        return error;
    if (spec.rankTableWaitSeconds < 0 || spec.rankTableWaitSeconds > 86400)
        return Error{tr("%1 s is out of range").arg(spec.rankTableWaitSeconds), QStringLiteral("--wait"),
                     tr("Give 0 to 86400 seconds.")};
    return std::nullopt;
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
    return Error{
        tr("davincirun cannot launch with a rank table of %1, which does not say what runs on this host")
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
                             tablePath, tr("Number the ranks of all servers from 0 without a gap.")};
            seen.insert(rank);
        }
    }
    return std::nullopt;
}

/// What a plan keeps of a table.
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

/// What davincirun runs on the node beside the ranks.
void addDriverHooks(LaunchPlan &plan, const HostFacts &facts)
{
    if (!facts.slogdPath.isEmpty()) {
        plan.before.push_back(hook({facts.slogdPath}));
        plan.before.back().mayFail = true;
    }
    if (!facts.stopScriptPath.isEmpty())
        plan.after.push_back(hook({facts.stopScriptPath}));
}

} // namespace

Result<QString> findThisServer(const RankTable &table, const QProcessEnvironment &environment)
{
    const auto ordered =
        table.form == RankTableForm::GroupList ? orderInstances(table) : convertToServerList(table);
    if (!ordered)
        return ordered.error();
    const std::vector<Server> &servers = ordered->servers;
    if (servers.empty())
        return Error{tr("the rank table names no server"), {}, {}};

    const bool byPod = table.form == RankTableForm::GroupList;
    QStringList variables{QStringLiteral("BATCH_TASK_CURRENT_INSTANCE"),
                          QStringLiteral("MA_CURRENT_INSTANCE_NAME")};
    if (!byPod)
        variables = {QStringLiteral("MA_CURRENT_HOST_IP")};
    const auto variable = std::find_if(variables.begin(), variables.end(),
                                       [&](const QString &name) { return environment.contains(name); });
    if (variable == variables.end() || (!byPod && servers.size() == 1))
        return servers.front().serverId;

    const QString wanted = environment.value(*variable);
    const auto found = std::find_if(servers.begin(), servers.end(), [&](const Server &server) {
        return (byPod ? server.podName : server.serverId) == wanted;
    });
    if (found == servers.end())
        return Error{tr("no server of the rank table is this host: %1 is \"%2\", and the table has %3")
                         .arg(*variable, wanted, listOf(*ordered)),
                     {},
                     tr("Set %1 to one of them.").arg(*variable)};
    return found->serverId;
}

QString davincirunJobId(const HostFacts &facts)
{
    const QProcessEnvironment &environment = facts.environment;
    if (environment.contains(QStringLiteral("BATCH_JOB_ID")))
        return environment.value(QStringLiteral("BATCH_JOB_ID"));
    if (environment.contains(QStringLiteral("MA_VJ_NAME"))) {
        QString name = environment.value(QStringLiteral("MA_VJ_NAME"));
        const QLatin1String oldPrefix("ma-job");
        const auto at = name.indexOf(oldPrefix);
        return at < 0 ? name : name.replace(at, oldPrefix.size(), QLatin1String("modelarts-job"));
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
        error.where = tablePath;
        return error;
    };
    if (const auto error = problemWithForm(table.form))
        return atTable(*error);
    const auto converted = convertToServerList(table);
    if (!converted)
        return atTable(converted.error());
    const auto serverId = findThisServer(table, facts.environment);
    if (!serverId)
        return atTable(serverId.error());
    if (const auto error = checkRanks(*converted, tablePath))
        return *error;
    const auto channels = platformChannels(facts.environment);
    if (!channels)
        return channels.error();
    const auto op = platformOperator(facts.environment);
    if (!op)
        return op.error();
    const Server *server = converted->findServer(*serverId);
    if (server->devices.empty())
        return Error{tr("server %1 has no device").arg(*serverId), tablePath, {}};

    LaunchPlan plan;
    plan.launcher = QStringLiteral("davincirun");
    plan.name = launchName(spec);
    plan.jobId = davincirunJobId(facts);
    plan.thisNode = *serverId;
    plan.rankTable = servers(*converted);
    plan.destroyWhenFinished = spec.destroyWhenFinished;
    plan.raiseOnFailure = spec.raiseOnFailure;
    plan.graceSeconds = spec.graceSeconds;
    if (converted->form != table.form) {
        const QString home =
            QString::fromLatin1(facts.platformHomeIsWritable ? platformHome : runDirectoryPlaceholder);
        plan.rankTableFile = absoluteLaunchPath(
            convertedRankTablePath(spec.convertedRankTable, facts.environment, home), facts);
        plan.files.push_back({plan.rankTableFile, toJson(*converted)});
        if (spec.convertedRankTable.isEmpty() &&
            plan.rankTableFile.startsWith(QLatin1String(runDirectoryPlaceholder)))
            plan.notes << tr("%1 cannot be written, so the converted rank table is in the run directory.")
                              .arg(QLatin1String(platformHome));
    } else {
        plan.rankTableFile = absoluteLaunchPath(tablePath, facts);
    }
    if (spec.randomCacheDir)
        plan.scratch = ScratchDirectory{QStringLiteral("MS_COMPILER_CACHE_PATH"),
                                        {QStringLiteral("/cache"), facts.temporaryDirectory}};
    const QString logDir = spec.logDir.isEmpty()
                               ? QString::fromLatin1(runDirectoryPlaceholder) + QStringLiteral("/logs")
                               : absoluteLaunchPath(spec.logDir, facts);
    const DavincirunNode node{spec, facts, plan, *server, *channels, *op, logDir};
    plan.notes << notesOnModes(facts.environment) << notesOnKept(node);
    if (op->hasArchive)
        plan.notes << tr(
            "MA_ALGORITHM_OPERATOR names an archive of operators, which is not installed by this "
            "launch: do it with --before.");
    addDriverHooks(plan, facts);
    std::vector<ProcessPlan> processes;
    for (int index = 0; index < static_cast<int>(server->devices.size()); ++index)
        processes.push_back(davincirunRank(node, index));
    plan.processes = std::move(processes);
    return plan;
}

} // namespace rankdeck

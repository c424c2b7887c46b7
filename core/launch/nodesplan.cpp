#include "launch/nodesplan.h"

#include "launch/launchbasics.h"
#include "launch/nodeplan.h"
#include "launch/nodeshare.h"
#include "ranktable/ranktableconversion.h"
#include "ranktable/ranktablewriter.h"

#include <QCoreApplication>

#include <algorithm>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("nodesPlan", text);
}

/// What all nodes are told stands once; the rest names its node.
QStringList joinedNotes(const std::vector<NodeShare> &shares, const std::vector<LaunchPlan> &plans)
{
    QStringList notes;
    for (std::size_t index = 0; index < plans.size(); ++index) {
        for (const QString &note : plans[index].notes) {
            const bool isCommon = std::all_of(plans.begin(), plans.end(), [&](const LaunchPlan &plan) {
                return plan.notes.contains(note);
            });
            notes << (isCommon ? note : tr("%1: %2").arg(shares[index].node, note));
        }
    }
    notes.removeDuplicates();
    return notes;
}

/// Of the nodes that have one, only the master's is started: another node may know the master's address as
/// its own too.
void keepOneScheduler(std::vector<ProcessPlan> &processes)
{
    bool isKept = false;
    const auto isSuperfluous = [&](const ProcessPlan &process) {
        return process.role == Role::Scheduler && std::exchange(isKept, true);
    };
    processes.erase(std::remove_if(processes.begin(), processes.end(), isSuperfluous), processes.end());
}

LaunchPlan joined(const std::vector<NodeShare> &shares, const std::vector<LaunchPlan> &plans)
{
    LaunchPlan plan = plans.front();
    plan.notes = joinedNotes(shares, plans);
    for (std::size_t index = 0; index < plans.size(); ++index) {
        plan.nodes.push_back({shares[index].node, shares[index].host});
        if (index == 0)
            continue;
        const LaunchPlan &other = plans[index];
        plan.processes.insert(plan.processes.end(), other.processes.begin(), other.processes.end());
        for (const Server &server : other.rankTable.servers) {
            if (!plan.rankTable.findServer(server.serverId))
                plan.rankTable.servers.push_back(server);
        }
    }
    keepOneScheduler(plan.processes);
    if (plan.totalRanks == plan.rankTable.deviceCount())
        plan.totalRanks = 0;
    return plan;
}

} // namespace

QString nodesRankTablePath()
{
    return QString::fromLatin1(runDirectoryPlaceholder) + QStringLiteral("/rank_table.json");
}

Result<LaunchPlan> planNodes(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                             const std::vector<NodeFacts> &nodes)
{
    const auto shares = nodeShares(spec, table, tablePath, nodes);
    if (!shares)
        return shares.error();
    std::vector<LaunchPlan> plans;
    for (const NodeShare &share : *shares) {
        auto plan = planNode(share.spec, share.table, nodesRankTablePath(), share.facts);
        if (!plan) {
            Error error = plan.error();
            error.what = tr("%1: %2").arg(share.node, error.what);
            return error;
        }
        // Every node is called by the name that this launch has for it.
        for (ProcessPlan &process : plan->processes)
            process.node = share.node;
        for (Server &server : plan->rankTable.servers) {
            if (server.serverId == plan->thisNode)
                server.serverId = share.node;
        }
        plan->thisNode = share.node;
        plans.push_back(std::move(plan.value()));
    }
    LaunchPlan plan = joined(*shares, plans);
    plan.transport = nodes.front().facts.transport;
    if (spec.launcher == QLatin1String("davincirun"))
        plan.files = {{plan.rankTableFile, toJson(shares->front().table)}};
    if (!spec.logDir.isEmpty() && spec.launcher == QLatin1String("processes"))
        plan.emptyDirectory = absoluteLaunchPath(spec.logDir, nodes.front().facts);
    else
        plan.emptyDirectory.clear();
    return plan;
}

Result<LaunchPlan> planAssumedNodes(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                                    const HostFacts &facts)
{
    std::vector<NodeFacts> nodes;
    QStringList hosts = facts.nodes;
    if (hosts.isEmpty()) {
        for (const Server &server : table.servers)
            hosts << server.serverId;
    }
    for (const QString &host : hosts)
        nodes.push_back({host, facts, true});
    if (nodes.empty())
        return Error{tr("no node is named"), QStringLiteral("--nodes"), tr("Name the nodes like a,b,c.")};
    return planNodes(spec, table, tablePath, nodes);
}

} // namespace rankdeck

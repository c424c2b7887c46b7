#include "launch/nodesplan.h"

#include "launch/launchbasics.h"
#include "launch/nodelist.h"
#include "launch/nodeplan.h"
#include "launch/nodeshare.h"
#include "ranktable/ranktableconversion.h"
#include "ranktable/ranktablewriter.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHostAddress>

#include <algorithm>
#include <optional>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("nodesPlan", text);
}

QString inRunDirectory(const QString &path)
{
    return QLatin1String(runDirectoryPlaceholder) + path;
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
        for (auto list : {&LaunchPlan::before, &LaunchPlan::processes, &LaunchPlan::after})
            (plan.*list).insert((plan.*list).end(), (other.*list).begin(), (other.*list).end());
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

/// As many as the launch says that it is for; in no table.
int nodeCountOf(const LaunchSpec &spec)
{
    if (spec.launcher == QLatin1String("msrun"))
        return std::max(1, spec.msrun.workerNum / std::max(1, spec.msrun.localWorkerNum));
    return std::max(1, spec.processes.nnodes);
}

/// `hosts` are the nodes that the launch names, and become those that are planned for.
AllocationRequest allocationFor(const LaunchSpec &spec, QStringList &hosts)
{
    const bool areNames = std::none_of(hosts.begin(), hosts.end(), [](const QString &host) {
        return host.isEmpty() || !QHostAddress(host).isNull();
    });
    AllocationRequest request{hosts.isEmpty() ? nodeCountOf(spec) : static_cast<int>(hosts.size()), hosts};
    if (!hosts.isEmpty() && areNames)
        return request;
    request.names.clear();
    hosts.clear();
    for (int index = 0; index < request.nodes; ++index)
        hosts << QStringLiteral("slurm-%1").arg(index);
    return request;
}

} // namespace

QString nodesRankTablePath()
{
    return inRunDirectory(QStringLiteral("/rank_table.json"));
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
        const QString folder = QStringLiteral("/logs/node%1").arg(plans.size());
        for (auto *hooks : {&plan->before, &plan->after}) {
            for (ProcessPlan &hook : *hooks) {
                hook.node = share.node;
                // Nodes may see the same run directory.
                hook.logFile = inRunDirectory(folder + QLatin1Char('/') + QFileInfo(hook.logFile).fileName());
                hook.makeDirectories = QStringList{inRunDirectory(folder)};
            }
        }
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
    else if (!plan.rankTableFile.isEmpty())
        plan.files = {{plan.rankTableFile, nodes.front().facts.rankTableText}};
    if (!spec.logDir.isEmpty() && spec.launcher == QLatin1String("processes"))
        plan.emptyDirectory = absoluteLaunchPath(spec.logDir, nodes.front().facts);
    else
        plan.emptyDirectory.clear();
    return plan;
}

LaunchPlan shareOf(LaunchPlan plan, const QString &node)
{
    for (auto *list : {&plan.before, &plan.processes, &plan.after})
        list->erase(std::remove_if(list->begin(), list->end(),
                                   [&](const ProcessPlan &process) { return process.node != node; }),
                    list->end());
    plan.thisNode = node;
    plan.totalRanks = plan.worldSize();
    plan.rankTable.servers.clear();
    plan.transport.clear();
    plan.nodes.clear();
    plan.emptyDirectory.clear();
    plan.notes.clear();
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
    std::optional<AllocationRequest> allocation;
    if (facts.transport == transportWord(TransportKind::Slurm) && !isInAllocation(facts.environment))
        allocation = allocationFor(spec, hosts);
    for (const QString &host : hosts)
        nodes.push_back({host, facts, true});
    if (nodes.empty())
        return Error{tr("no node is named"), QStringLiteral("--nodes"), tr("Name the nodes like a,b,c.")};
    auto plan = planNodes(spec, table, tablePath, nodes);
    if (!plan && plan.error().where == QLatin1String("--conda-env")) {
        // Only the nodes need it.
        LaunchSpec without = spec;
        without.common.condaEnv.clear();
        plan = planNodes(without, table, tablePath, nodes);
        if (plan)
            plan->notes << tr("The conda environment %1 is not on this machine: each node looks for its own.")
                               .arg(spec.common.condaEnv);
    }
    if (!plan || !allocation)
        return plan;
    plan->allocation = allocation;
    if (allocation->names.isEmpty())
        plan->notes
            << tr("Slurm is asked for %1 nodes when this is launched. Their names are not known before.")
                   .arg(allocation->nodes);
    return plan;
}

} // namespace rankdeck

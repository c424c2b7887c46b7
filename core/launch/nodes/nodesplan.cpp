#include "launch/nodes/nodesplan.h"

#include "base/listcomma.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchers.h"
#include "launch/planning/launchbasics.h"
#include "launch/planning/planners.h"
#include "launch/text/nodelist.h"
#include "ranktable/changes/ranktableconversion.h"
#include "ranktable/table/ranktablewriter.h"

#include <QFileInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// One node's part of a launch, as if its launcher had been started there by hand.
struct NodeShare {
    QString node; ///< Its name in plans and windows: server_id with davincirun, else the host's name.
    QString host; ///< Passed to ssh or srun.
    LaunchSpec spec;
    RankTable table; ///< davincirun only: converted to server_list.
    HostFacts facts;
};

using Shares = std::vector<NodeShare>;

/// "me@node" is called "node".
QString nameOf(const QString &host)
{
    return host.mid(host.lastIndexOf('@'_L1) + 1);
}

bool isLoopback(const QString &name)
{
    return name == "localhost"_L1 || QHostAddress(name).isLoopback();
}

bool isOtherNodesAddress(const QString &address)
{
    const QHostAddress read(address);
    return read.protocol() == QAbstractSocket::IPv4Protocol && !read.isLoopback();
}

/// An address of `node` that the other nodes reach, as far as one can tell from here.
QString addressOf(const NodeFacts &node)
{
    const QString name = nameOf(node.host);
    if (node.areAssumed || isOtherNodesAddress(name))
        return name;
    if (isOtherNodesAddress(node.facts.reachedAt))
        return node.facts.reachedAt;
    const auto other = std::ranges::find_if(node.facts.addresses, isOtherNodesAddress);
    return other != node.facts.addresses.end() ? *other : u"127.0.0.1"_s;
}

Error wrongNumber(const std::vector<NodeFacts> &nodes, const QString &option, const QString &other,
                  const QString &mend)
{
    return {tr("%n nodes are named, and %1", "%n node is named, and %1", static_cast<int>(nodes.size()))
                .arg(other),
            option, mend};
}

/// The shares for launchers that number their nodes by a node rank.
Shares plainShares(const LaunchSpec &spec, const std::vector<NodeFacts> &nodes)
{
    Shares shares;
    for (const NodeFacts &node : nodes) {
        NodeShare share{nameOf(node.host), node.host, spec, {}, node.facts};
        share.facts.hostName = share.node;
        share.facts.transport.clear();
        shares.push_back(std::move(share));
    }
    return shares;
}

Error noSuchMaster(const QString &master)
{
    return {tr("no node of this launch has the address %1").arg(master), u"--master_addr"_s,
            tr("Give an address of one of them, or leave it out.")};
}

Result<Shares> msrunShares(const LaunchSpec &spec, const std::vector<NodeFacts> &nodes)
{
    const int count = static_cast<int>(nodes.size());
    const MsrunOptions &options = spec.msrun;
    if (options.nodeRank >= 0)
        return Error{tr("the order of the nodes already determines their ranks"), u"--node_rank"_s,
                     tr("Leave it out.")};
    if (options.workerNum != count * options.localWorkerNum)
        return wrongNumber(nodes, u"--local_worker_num"_s,
                           tr("%1 workers, %2 per node, need a different number of nodes")
                               .arg(options.workerNum)
                               .arg(options.localWorkerNum),
                           options.workerNum % count == 0
                               ? tr("Give --local_worker_num=%1.").arg(options.workerNum / count)
                               : tr("Give a --worker_num that is divisible by the number of nodes."));
    Shares shares = plainShares(spec, nodes);
    QString master = options.masterAddr;
    std::size_t masterNode = 0;
    if (count > 1 && isLoopback(master)) {
        master = addressOf(nodes.front());
    } else if (const QString address = nodes.front().facts.routes.value(master).address;
               count > 1 && QHostAddress(address).isLoopback()) {
        // A node's name is a loopback address on this machine: the other nodes need another name.
        const auto named = std::ranges::find_if(nodes, [&](const NodeFacts &node) {
            return nameOf(node.host) == master || (!node.areAssumed && node.facts.hostName == master);
        });
        if (named == nodes.end() && !nodes.front().areAssumed)
            return noSuchMaster(master);
        masterNode = named == nodes.end() ? 0 : static_cast<std::size_t>(named - nodes.begin());
        master = addressOf(nodes[masterNode]);
        for (NodeShare &share : shares)
            share.facts.routes.remove(master);
    } else {
        const auto isMaster = [&](const NodeFacts &node) {
            return nameOf(node.host) == master ||
                   (!node.areAssumed &&
                    (node.facts.addresses.contains(master) || node.facts.addresses.contains(address)));
        };
        const auto found = std::ranges::find_if(nodes, isMaster);
        if (found == nodes.end() && !nodes.front().areAssumed)
            return noSuchMaster(master);
        if (found != nodes.end())
            masterNode = static_cast<std::size_t>(found - nodes.begin());
    }
    for (std::size_t index = 0; index < shares.size(); ++index) {
        NodeShare &share = shares[index];
        share.spec.msrun.nodeRank = static_cast<int>(index);
        if (count > 1)
            share.spec.msrun.masterPort = masterPortOn(spec, nodes[masterNode].facts);
        share.spec.msrun.masterAddr = master;
        if (!spec.rankTableFile.isEmpty())
            share.spec.rankTableFile = nodesRankTablePath();
        if (share.facts.routes.value(master).address.isEmpty())
            share.facts.routes.insert(master, {master, {}});
        const QString address = share.facts.routes.value(master).address;
        share.facts.addresses.removeAll(address);
        if (index == masterNode)
            share.facts.addresses.prepend(address);
    }
    return shares;
}

Result<Shares> processesShares(const LaunchSpec &spec, const std::vector<NodeFacts> &nodes)
{
    const int count = static_cast<int>(nodes.size());
    const ProcessesOptions &options = spec.processes;
    if (options.nodeRank != 0)
        return Error{tr("the order of the nodes already determines their ranks"), u"--node-rank"_s,
                     tr("Leave it out.")};
    if (options.nnodes != 1 && options.nnodes != count)
        return wrongNumber(nodes, u"--nnodes"_s, tr("--nnodes says %1").arg(options.nnodes),
                           tr("Leave it out."));
    Shares shares = plainShares(spec, nodes);
    for (int index = 0; index < count; ++index) {
        ProcessesOptions &own = shares[static_cast<std::size_t>(index)].spec.processes;
        if (count > 1)
            own.masterPort = masterPortOn(spec, nodes.front().facts);
        own.nnodes = count;
        own.nodeRank = index;
        if (count > 1 && isLoopback(own.masterAddr))
            own.masterAddr = addressOf(nodes.front());
        // Ranks have the same local ranks on every node, and so their files the same names.
        QString &logDir = shares[static_cast<std::size_t>(index)].spec.logDir;
        if (logDir.isEmpty())
            logDir = inRunDirectory(u"/logs"_s);
        logDir += u"/node%1"_s.arg(index);
    }
    return shares;
}

/// Finds the node of each server: by name, then by address, then by order.
std::vector<const NodeFacts *> nodesOfServers(const std::vector<Server> &servers,
                                              const std::vector<NodeFacts> &nodes)
{
    std::vector<const NodeFacts *> found(servers.size());
    std::vector<bool> isTaken(nodes.size());
    const auto match = [&](const auto &fits) {
        for (std::size_t server = 0; server < servers.size(); ++server) {
            for (std::size_t node = 0; node < nodes.size() && !found[server]; ++node) {
                if (isTaken[node] || !fits(servers[server].serverId, nodes[node]))
                    continue;
                found[server] = &nodes[node];
                isTaken[node] = true;
            }
        }
    };
    match([](const QString &id, const NodeFacts &node) { return nameOf(node.host) == id; });
    match([](const QString &id, const NodeFacts &node) {
        return !node.areAssumed && !isLoopback(id) && node.facts.addresses.contains(id);
    });
    match([](const QString &, const NodeFacts &) { return true; });
    return found;
}

Result<Shares> davincirunShares(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                                const std::vector<NodeFacts> &nodes)
{
    if (!spec.server.isEmpty())
        return Error{tr("--nodes already names the node of each server"), u"--server"_s, tr("Leave it out.")};
    const auto converted = convertToServerList(table);
    if (!converted)
        return Error{converted.error().what, tablePath, converted.error().mend};
    if (converted->servers.size() != nodes.size())
        return wrongNumber(nodes, tablePath,
                           tr("the rank table has %n servers", "the rank table has %n server",
                              static_cast<int>(converted->servers.size())),
                           tr("Name a node for each server with --nodes, in the table's order."));
    const QString jobId = davincirunJobId(nodes.front().facts);
    const auto hosts = nodesOfServers(converted->servers, nodes);
    Shares shares;
    for (std::size_t index = 0; index < hosts.size(); ++index) {
        const QString server = converted->servers[index].serverId;
        NodeShare share{server, hosts[index]->host, spec, *converted, hosts[index]->facts};
        share.facts.transport.clear();
        share.spec.server = server;
        QProcessEnvironment &environment = share.facts.environment;
        environment.insert(u"MA_CURRENT_HOST_IP"_s, server);
        environment.insert(u"BATCH_JOB_ID"_s, jobId);
        shares.push_back(std::move(share));
    }
    return shares;
}

/// The parts of a launch in the order of their node ranks; see planNodes().
Result<Shares> nodeShares(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                          const std::vector<NodeFacts> &nodes)
{
    const Launcher *launcher = findLauncher(spec.launcher);
    const NodeRule rule = launcher ? launcher->nodeRule : NodeRule::ByRankTable;
    return rule == NodeRule::ByWorkerNumber ? msrunShares(spec, nodes)
           : rule == NodeRule::ByNodeRank   ? processesShares(spec, nodes)
                                            : davincirunShares(spec, table, tablePath, nodes);
}

/// Joins the notes of all nodes: a note that all have appears once, others name their node.
QList<Sentence> joinedNotes(const std::vector<NodeShare> &shares, const std::vector<LaunchPlan> &plans)
{
    QList<Sentence> notes;
    for (std::size_t index = 0; index < plans.size(); ++index) {
        for (const Sentence &note : plans[index].notes) {
            const bool isCommon =
                std::ranges::all_of(plans, [&](const LaunchPlan &plan) { return plan.notes.contains(note); });
            const Sentence named = isCommon ? note : withColon(shares[index].node, note);
            if (!notes.contains(named))
                notes << named;
        }
    }
    return notes;
}

/// Keeps only the master's scheduler: another node may also have the master's address as its own.
void keepOneScheduler(std::vector<ProcessPlan> &processes)
{
    bool isKept = false;
    std::erase_if(processes, [&](const ProcessPlan &process) {
        return process.role == Role::Scheduler && std::exchange(isKept, true);
    });
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

/// `hosts` are the nodes that the launch names, and become those that are planned for.
AllocationRequest allocationFor(const LaunchSpec &spec, QStringList &hosts)
{
    const bool areNames = std::ranges::none_of(
        hosts, [](const QString &host) { return host.isEmpty() || !QHostAddress(host).isNull(); });
    const Launcher *launcher = findLauncher(spec.launcher);
    const int count = launcher && launcher->nodeCount ? launcher->nodeCount(spec) : 1;
    AllocationRequest request{hosts.isEmpty() ? count : static_cast<int>(hosts.size()), hosts};
    if (!hosts.isEmpty() && areNames)
        return request;
    request.names.clear();
    hosts.clear();
    for (int index = 0; index < request.nodes; ++index)
        hosts << u"slurm-%1"_s.arg(index);
    return request;
}

} // namespace

QString nodesRankTablePath()
{
    return inRunDirectory(u"/rank_table.json"_s);
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
        // Each node may know itself by another name.
        for (ProcessPlan &process : plan->processes)
            process.node = share.node;
        const QString folder = u"/logs/node%1"_s.arg(plans.size());
        for (auto *hooks : {&plan->before, &plan->after}) {
            for (ProcessPlan &hook : *hooks) {
                hook.node = share.node;
                // Nodes may see the same run directory.
                hook.logFile = inRunDirectory(folder + '/'_L1 + QFileInfo(hook.logFile).fileName());
                hook.makeDirectories.replace(0, inRunDirectory(folder));
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
    if (const int usual = openMasterPort(spec); usual > 0 && nodes.size() > 1) {
        const int port = valueIn(shares->front().spec, findLauncher(spec.launcher)->masterPort);
        if (port != usual)
            plan.notes << portNote(usual, port);
    }
    plan.transport = nodes.front().facts.transport;
    if (needsRankTable(spec))
        plan.files = {{plan.rankTableFile, toJson(shares->front().table)}};
    else if (!plan.rankTableFile.isEmpty())
        plan.files = {{plan.rankTableFile, nodes.front().facts.rankTableText}};
    if (!spec.logDir.isEmpty() && !plan.emptyDirectory.isEmpty())
        plan.emptyDirectory = absoluteLaunchPath(spec.logDir, nodes.front().facts);
    else
        plan.emptyDirectory.clear();
    return plan;
}

LaunchPlan shareOf(LaunchPlan plan, const QString &node)
{
    for (auto *list : {&plan.before, &plan.processes, &plan.after})
        std::erase_if(*list, [&](const ProcessPlan &process) { return process.node != node; });
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
        return Error{tr("no nodes given"), u"--nodes"_s, tr("Name the nodes like a,b,c.")};
    auto plan = planNodes(spec, table, tablePath, nodes);
    if (!plan && plan.error().where == "--conda-env"_L1) {
        // The environment need not exist on this machine.
        LaunchSpec without = spec;
        without.common.condaEnv.clear();
        plan = planNodes(without, table, tablePath, nodes);
        if (plan)
            plan->notes
                << Sentence::tr(
                       "The conda environment %1 is not on this machine. Each node searches for its own.")
                       .arg(spec.common.condaEnv);
    }
    if (!plan || !allocation)
        return plan;
    plan->allocation = allocation;
    if (allocation->names.isEmpty())
        plan->notes << Sentence::tr("The launch requests %n nodes from Slurm. Their names are not known yet.",
                                    "The launch requests a node from Slurm. Its name is not known yet.",
                                    allocation->nodes);
    return plan;
}

} // namespace rankdeck

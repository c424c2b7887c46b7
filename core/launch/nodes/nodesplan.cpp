#include "launch/nodeshare.h"

#include "launch/davincirun.h"
#include "ranktable/ranktableconversion.h"

#include <QCoreApplication>
#include <QHostAddress>

#include <algorithm>
#include <optional>

namespace rankdeck
{

namespace
{

using Shares = std::vector<NodeShare>;

QString tr(const char *text)
{
    return QCoreApplication::translate("nodesPlan", text);
}

/// "me@node" is called "node".
QString nameOf(const QString &host)
{
    return host.mid(host.lastIndexOf(QLatin1Char('@')) + 1);
}

bool isLoopback(const QString &name)
{
    return name == QLatin1String("localhost") || QHostAddress(name).isLoopback();
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
    const auto other =
        std::find_if(node.facts.addresses.begin(), node.facts.addresses.end(), isOtherNodesAddress);
    return other != node.facts.addresses.end() ? *other : QStringLiteral("127.0.0.1");
}

Error wrongNumber(const std::vector<NodeFacts> &nodes, const QString &option, const QString &other,
                  const QString &mend)
{
    return {tr("%1 nodes are named, and %2").arg(nodes.size()).arg(other), option, mend};
}

/// Launchers whose nodes are told apart by a node rank.
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

Result<Shares> msrunShares(const LaunchSpec &spec, const std::vector<NodeFacts> &nodes)
{
    const int count = static_cast<int>(nodes.size());
    const MsrunOptions &options = spec.msrun;
    if (options.nodeRank >= 0)
        return Error{tr("the order of the nodes says their ranks already"), QStringLiteral("--node_rank"),
                     tr("Leave it out.")};
    if (options.workerNum != count * options.localWorkerNum)
        return wrongNumber(nodes, QStringLiteral("--local_worker_num"),
                           tr("%1 workers, %2 a node, need another number of them")
                               .arg(options.workerNum)
                               .arg(options.localWorkerNum),
                           options.workerNum % count == 0
                               ? tr("Give --local_worker_num=%1.").arg(options.workerNum / count)
                               : tr("Give a --worker_num that the nodes can share."));
    Shares shares = plainShares(spec, nodes);
    QString master = options.masterAddr;
    std::size_t masterNode = 0;
    if (count > 1 && isLoopback(master)) {
        master = addressOf(nodes.front());
    } else {
        const QString address = nodes.front().facts.routes.value(master).address;
        const auto isMaster = [&](const NodeFacts &node) {
            return nameOf(node.host) == master ||
                   (!node.areAssumed &&
                    (node.facts.addresses.contains(master) || node.facts.addresses.contains(address)));
        };
        const auto found = std::find_if(nodes.begin(), nodes.end(), isMaster);
        if (found == nodes.end() && !nodes.front().areAssumed)
            return Error{tr("no node of this launch has the address %1").arg(master),
                         QStringLiteral("--master_addr"),
                         tr("Give an address of one of them, or leave it out.")};
        if (found != nodes.end())
            masterNode = static_cast<std::size_t>(found - nodes.begin());
    }
    for (std::size_t index = 0; index < shares.size(); ++index) {
        NodeShare &share = shares[index];
        share.spec.msrun.nodeRank = static_cast<int>(index);
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
        return Error{tr("the order of the nodes says their ranks already"), QStringLiteral("--node-rank"),
                     tr("Leave it out.")};
    if (options.nnodes != 1 && options.nnodes != count)
        return wrongNumber(nodes, QStringLiteral("--nnodes"), tr("--nnodes says %1").arg(options.nnodes),
                           tr("Leave it out."));
    Shares shares = plainShares(spec, nodes);
    for (int index = 0; index < count; ++index) {
        ProcessesOptions &own = shares[static_cast<std::size_t>(index)].spec.processes;
        own.nnodes = count;
        own.nodeRank = index;
        if (count > 1 && isLoopback(own.masterAddr))
            own.masterAddr = addressOf(nodes.front());
        // Ranks have the same local ranks on every node, and so their files the same names.
        QString &logDir = shares[static_cast<std::size_t>(index)].spec.logDir;
        if (logDir.isEmpty())
            logDir = QString::fromLatin1(runDirectoryPlaceholder) + QStringLiteral("/logs");
        logDir += QStringLiteral("/node%1").arg(index);
    }
    return shares;
}

/// Which of `nodes` each server is: by name, by address, then what is left by order.
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
    const auto converted = convertToServerList(table);
    if (!converted)
        return Error{converted.error().what, tablePath, converted.error().mend};
    if (converted->servers.size() != nodes.size())
        return wrongNumber(nodes, tablePath,
                           tr("the rank table has %1 servers").arg(converted->servers.size()),
                           tr("Name a node for each server with --nodes, in the table's order."));
    const QString jobId = davincirunJobId(nodes.front().facts);
    const auto hosts = nodesOfServers(converted->servers, nodes);
    Shares shares;
    for (std::size_t index = 0; index < hosts.size(); ++index) {
        const QString server = converted->servers[index].serverId;
        NodeShare share{server, hosts[index]->host, spec, *converted, hosts[index]->facts};
        share.facts.transport.clear();
        QProcessEnvironment &environment = share.facts.environment;
        environment.insert(QStringLiteral("MA_CURRENT_HOST_IP"), server);
        environment.insert(QStringLiteral("BATCH_JOB_ID"), jobId);
        shares.push_back(std::move(share));
    }
    return shares;
}

} // namespace

Result<Shares> nodeShares(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                          const std::vector<NodeFacts> &nodes)
{
    if (spec.launcher == QLatin1String("msrun"))
        return msrunShares(spec, nodes);
    if (spec.launcher == QLatin1String("processes"))
        return processesShares(spec, nodes);
    return davincirunShares(spec, table, tablePath, nodes);
}

} // namespace rankdeck

#include "launch/msruncluster.h"

#include "launch/launchbasics.h"

#include <QCoreApplication>
#include <QHostAddress>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// More workers than this are not started in a dry run.
constexpr int mostSimulatedWorkers = 128;

QString tr(const char *text)
{
    return QCoreApplication::translate("msrun", text);
}

std::optional<Error> simulate(MsrunCluster &cluster, const MsrunOptions &msrun,
                              const QProcessEnvironment &environment, QStringList &notes)
{
    const QString leftLevel = environment.value(QStringLiteral("MS_SIMULATION_LEVEL"));
    if (msrun.simLevel != -1)
        cluster.simulationLevel = QString::number(msrun.simLevel);
    else if (!leftLevel.isEmpty())
        cluster.simulationLevel = leftLevel;
    if (!cluster.isSimulation()) {
        if (msrun.simRankId != -1)
            notes << tr("--sim_rank_id is ignored: without --sim_level this is no dry run.");
        return std::nullopt;
    }
    const auto variable = [&](const char *name, int otherwise) -> Result<int> {
        const QString text = environment.value(QLatin1String(name));
        bool isNumber = false;
        const int number = text.toInt(&isNumber);
        if (text.isEmpty())
            return otherwise;
        if (!isNumber)
            return Error{tr("\"%1\" is not a whole number, and a dry run reads it").arg(text),
                         QLatin1String(name), tr("Unset it.")};
        return number;
    };
    cluster.simulatedRank = msrun.simRankId;
    if (cluster.simulatedRank == -1) {
        const auto rank = variable("RANK_ID", -1);
        if (!rank)
            return rank.error();
        cluster.simulatedRank = *rank;
    }
    if (msrun.simLevel == -1) {
        notes << tr("MS_SIMULATION_LEVEL is set in this environment, so this is a dry run.");
        const auto size = variable("RANK_SIZE", cluster.workers);
        if (!size)
            return size.error();
        if (*size < 1)
            return Error{tr("%1 ranks cannot be simulated").arg(*size), QStringLiteral("RANK_SIZE"),
                         tr("Unset it.")};
        cluster.rankSize = *size;
    }
    if (cluster.simulatedRank >= cluster.rankSize || cluster.simulatedRank < -1)
        return Error{tr("there is no rank %1 among %2").arg(cluster.simulatedRank).arg(cluster.rankSize),
                     msrun.simRankId == -1 ? QStringLiteral("RANK_ID") : QStringLiteral("--sim_rank_id"),
                     tr("Give 0 to %1.").arg(cluster.rankSize - 1)};
    if (cluster.simulatedRank != -1) {
        cluster.localWorkers = 1;
    } else if (cluster.localWorkers > mostSimulatedWorkers) {
        cluster.localWorkers = 1;
        cluster.simulatedRank = 0;
        notes << tr("A dry run starts at most %1 workers a node: only rank 0 is started.")
                     .arg(mostSimulatedWorkers);
    }
    return std::nullopt;
}

std::optional<Error> placeRanks(MsrunCluster &cluster, QStringList &notes)
{
    if (cluster.localWorkers > cluster.workers)
        return Error{
            tr("%1 workers of this node are more than the %2 of all nodes")
                .arg(cluster.localWorkers)
                .arg(cluster.workers),
            QStringLiteral("--local_worker_num"),
            tr("Give --local_worker_num=%1 or less, or a larger --worker_num.").arg(cluster.workers)};
    if (cluster.isWhole()) {
        if (cluster.nodeRank > 0)
            notes << tr("--node_rank %1 is ignored: all workers are on this node.").arg(cluster.nodeRank);
        return std::nullopt;
    }
    if (cluster.isSimulation() && cluster.simulatedRank != -1)
        return std::nullopt;
    if (cluster.nodeRank < 0) {
        notes << tr(
            "--node_rank is not given: MindSpore numbers the ranks once the cluster has formed, and the "
            "logs are numbered by device.");
        return std::nullopt;
    }
    const int nodes = cluster.workers / cluster.localWorkers;
    if (cluster.nodeRank >= nodes)
        return Error{tr("%1 is out of range: %2 workers, %3 a node, are on %4 nodes")
                         .arg(cluster.nodeRank)
                         .arg(cluster.workers)
                         .arg(cluster.localWorkers)
                         .arg(nodes),
                     QStringLiteral("--node_rank"), tr("Give 0 to %1.").arg(nodes - 1)};
    if (cluster.workers % cluster.localWorkers != 0)
        notes << tr("%1 workers are no whole number of nodes with %2 workers: ranks are numbered as if every "
                    "node "
                    "had %2.")
                     .arg(cluster.workers)
                     .arg(cluster.localWorkers);
    return std::nullopt;
}

std::optional<Error> findMaster(MsrunCluster &cluster, const QString &name, const HostFacts &facts)
{
    const QHostAddress written(name);
    const HostRoute route = facts.routes.value(name);
    if (!route.address.isEmpty())
        cluster.masterAddress = route.address;
    else if (written.protocol() == QAbstractSocket::IPv4Protocol)
        cluster.masterAddress = written.toString();
    else
        return Error{tr("the host \"%1\" has not been looked up").arg(name), QStringLiteral("--master_addr"),
                     tr("Give an IPv4 address.")};
    cluster.isMaster =
        QHostAddress(cluster.masterAddress).isLoopback() || facts.addresses.contains(cluster.masterAddress);
    cluster.ownAddress = cluster.isMaster ? cluster.masterAddress : route.source;
    const auto other =
        std::find_if(facts.addresses.begin(), facts.addresses.end(),
                     [](const QString &address) { return !QHostAddress(address).isLoopback(); });
    if (cluster.ownAddress.isEmpty())
        cluster.ownAddress = other == facts.addresses.end() ? QStringLiteral("127.0.0.1") : *other;
    return std::nullopt;
}

} // namespace

Result<MsrunCluster> msrunCluster(const LaunchSpec &spec, const HostFacts &facts, QStringList &notes)
{
    MsrunCluster cluster;
    cluster.workers = spec.msrun.workerNum;
    cluster.localWorkers = spec.msrun.localWorkerNum;
    cluster.rankSize = spec.msrun.workerNum;
    cluster.nodeRank = spec.msrun.nodeRank;
    if (const auto error = simulate(cluster, spec.msrun, launchEnvironment(spec, facts), notes))
        return *error;
    if (const auto error = placeRanks(cluster, notes))
        return *error;
    if (const auto error = findMaster(cluster, spec.msrun.masterAddr, facts))
        return *error;
    return cluster;
}

} // namespace rankdeck

#pragma once

#include "launch/hostfacts.h"
#include "launch/launchspec.h"
#include "result.h"

#include <QString>
#include <QStringList>

namespace rankdeck
{

/// The cluster that an msrun launch belongs to, and this node's place in it, after all defaults and dry-run
/// rules.
struct MsrunCluster {
    int workers = 0;
    int localWorkers = 0;
    int rankSize = 0;
    int nodeRank = -1;       ///< -1: MindSpore numbers the ranks once the cluster has formed.
    QString simulationLevel; ///< Empty: no dry run.
    int simulatedRank = -1;  ///< -1: as for a real run.
    QString masterAddress;
    QString ownAddress; ///< Towards the master.
    bool isMaster = false;

    bool isSimulation() const { return !simulationLevel.isEmpty(); }
    bool isWhole() const { return localWorkers == workers; }
    bool knowsRanks() const { return isWhole() || nodeRank >= 0; }
    int rankOf(int index) const
    {
        return isWhole() || nodeRank < 0 ? index : nodeRank * localWorkers + index;
    }
};

/// Of `spec`, whose options are in their ranges. `notes` are told what the user may not expect. Errors: more
/// workers on this node than in all, a node rank or a simulated rank that there is not, a master that was not
/// looked up.
Result<MsrunCluster> msrunCluster(const LaunchSpec &spec, const HostFacts &facts, QStringList &notes);

} // namespace rankdeck

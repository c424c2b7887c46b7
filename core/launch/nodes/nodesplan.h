#pragma once

#include "launch/hostfacts.h"
#include "launch/launchplan.h"
#include "launch/launchspec.h"
#include "result.h"

#include <QString>

#include <vector>

namespace rankdeck
{

/// A node of a launch, and what planning its share depends on.
struct NodeFacts {
    QString host; ///< As the user named it; what ssh or srun is told.
    HostFacts facts;
    bool areAssumed = false; ///< Nobody has asked the node: `facts` are those of the machine that plans.
};

/// The rank table that every node of a launch reads, below runDirectoryPlaceholder: davincirun's converted,
/// msrun's as it is.
QString nodesRankTablePath();

/// The plan of a launch for `nodes`, which the order makes node 0, 1 …: the share of each as its launcher
/// would plan it there. Node 0 is the master unless the spec names another. davincirun's servers are found by
/// name, then by address, then by order; with no node their server_ids are the nodes.
/// Each node runs the hooks by itself, where and with what its own processes have in common.
/// @param table davincirun only: complete, of one or more servers.
/// Errors: the launcher's own, with the node; another number of nodes than the table, --nnodes or
/// --worker_num says; options that only the launch of one node has.
Result<LaunchPlan> planNodes(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                             const std::vector<NodeFacts> &nodes);

/// What `node` does of such a plan: its processes, its hooks, and the files that all need.
LaunchPlan shareOf(LaunchPlan plan, const QString &node);

/// planNodes() before any node has been asked: `facts`, of this machine, stand for all of facts.nodes.
Result<LaunchPlan> planAssumedNodes(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                                    const HostFacts &facts);

} // namespace rankdeck

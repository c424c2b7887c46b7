#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// A node of a launch, and the facts that its share of the plan depends on.
struct NodeFacts {
    QString host; ///< As the user named it; passed to ssh or srun.
    HostFacts facts;
    bool areAssumed = false; ///< The node was not asked: `facts` are those of the planning machine.
};

/// Returns the path of the rank table that every node of a launch reads, below runDirectoryPlaceholder:
/// davincirun's converted, msrun's as it is.
QString nodesRankTablePath();

/// Returns the plan of a launch for `nodes`, node 0 first: the share of each as its launcher
/// would plan it there. Node 0 is the master unless the spec names another. davincirun's servers are found by
/// name, then by address, then by order; with no node their server_ids are the nodes.
/// Each node runs the hooks by itself, where and with what its own processes have in common.
/// @param table davincirun only: complete, of one or more servers.
/// Errors: the launcher's own, with the node; another number of nodes than the table, --nnodes or
/// --worker_num says; options that only the launch of one node has.
Result<LaunchPlan> planNodes(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                             const std::vector<NodeFacts> &nodes);

/// Returns the part of such a plan that `node` carries out: its processes, its hooks, and the files that all
/// need.
LaunchPlan shareOf(LaunchPlan plan, const QString &node);

/// Returns planNodes() before any node was asked: uses the `facts` of this machine for all of facts.nodes.
Result<LaunchPlan> planAssumedNodes(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                                    const HostFacts &facts);

} // namespace rankdeck

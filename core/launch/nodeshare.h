#pragma once

#include "launch/nodesplan.h"

#include <QString>

#include <vector>

namespace rankdeck
{

/// One node's part of a launch, as if somebody had started its launcher there by hand.
struct NodeShare {
    QString node; ///< What plans and windows call it: server_id with davincirun, else the host's name.
    QString host; ///< What ssh or srun is told.
    LaunchSpec spec;
    RankTable table; ///< davincirun only: converted to server_list.
    HostFacts facts;
};

/// The parts of a launch in the order of their node ranks; see planNodes().
Result<std::vector<NodeShare>> nodeShares(const LaunchSpec &spec, const RankTable &table,
                                          const QString &tablePath, const std::vector<NodeFacts> &nodes);

} // namespace rankdeck

#include "launch/planlaunch.h"

#include "launch/nodeplan.h"
#include "launch/nodesplan.h"

namespace rankdeck
{

bool needsRankTable(const LaunchSpec &spec)
{
    return spec.launcher == QLatin1String("davincirun");
}

Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts)
{
    return facts.transport.isEmpty() ? planNode(spec, table, tablePath, facts)
                                     : planAssumedNodes(spec, table, tablePath, facts);
}

} // namespace rankdeck

#include "launch/nodes/planlaunch.h"

#include "launch/nodes/nodesplan.h"
#include "launch/options/launchers.h"
#include "launch/planning/commonplan.h"
#include "launch/planning/davincirun.h"
#include "launch/planning/hooks.h"
#include "launch/planning/msrun.h"
#include "launch/planning/processes.h"

namespace rankdeck
{

namespace
{

Result<LaunchPlan> planOf(const LaunchGround &ground, const RankTable &table, const QString &tablePath)
{
    const QString &launcher = ground.spec.launcher;
    if (launcher == QLatin1String("davincirun"))
        return planDavincirun(ground.spec, table, tablePath, ground.facts);
    if (launcher == QLatin1String("msrun"))
        return planMsrun(ground.spec, ground.facts);
    if (launcher == QLatin1String("processes"))
        return planProcesses(ground.spec, ground.facts);
    return launcherCommandLine(launcher).error();
}

} // namespace

Result<LaunchPlan> planNode(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts)
{
    if (const auto error = problemWithHooks(spec.common))
        return *error;
    const LaunchGround ground = layGround(spec, facts);
    auto plan = planOf(ground, table, tablePath);
    if (!plan)
        return plan;
    plan = withCommonOptions(std::move(plan.value()), ground);
    if (plan)
        completeHooks(plan.value(), spec.common);
    return plan;
}

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

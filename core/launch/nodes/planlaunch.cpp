#include "launch/nodeplan.h"

#include "launch/commonplan.h"
#include "launch/davincirun.h"
#include "launch/hooks.h"
#include "launch/launchers.h"
#include "launch/msrun.h"
#include "launch/processes.h"

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

} // namespace rankdeck

#include "launch/planlaunch.h"

#include "launch/davincirun.h"
#include "launch/msrun.h"
#include "launch/processes.h"

#include <QCoreApplication>

namespace rankdeck
{

bool needsRankTable(const LaunchSpec &spec)
{
    return spec.launcher == QLatin1String("davincirun");
}

Result<LaunchPlan> planLaunch(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                              const HostFacts &facts)
{
    if (spec.launcher == QLatin1String("davincirun"))
        return planDavincirun(spec, table, tablePath, facts);
    if (spec.launcher == QLatin1String("msrun"))
        return planMsrun(spec, facts);
    if (spec.launcher == QLatin1String("processes"))
        return planProcesses(spec, facts);
    return Error{QCoreApplication::translate("planLaunch", "there is no launcher \"%1\"").arg(spec.launcher),
                 QStringLiteral("launcher"),
                 QCoreApplication::translate("planLaunch", "Use davincirun, msrun or processes.")};
}

} // namespace rankdeck

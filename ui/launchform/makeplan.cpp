#include "launchform/makeplan.h"

#include "launch/davincirun.h"

#include <QCoreApplication>

namespace rankdeck
{

Result<LaunchPlan> makePlan(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                            const HostFacts &facts)
{
    if (spec.launcher == QLatin1String("davincirun"))
        return planDavincirun(spec, table, tablePath, facts);
    return Error{
        QCoreApplication::translate("rankdeck::LaunchForm", "There is no launcher \"%1\" in this version")
            .arg(spec.launcher),
        QStringLiteral("launcher"), QCoreApplication::translate("rankdeck::LaunchForm", "Use davincirun.")};
}

} // namespace rankdeck

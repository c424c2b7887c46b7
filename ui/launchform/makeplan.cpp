#include "launchform/makeplan.h"

#include "agent/launcher.h"
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

std::optional<Error> problemWithoutTable(const LaunchSpec &spec, const HostFacts &facts)
{
    // Any table will do, and the smallest has one device.
    RankTable table;
    table.status = QStringLiteral("completed");
    table.servers.push_back({});
    table.servers.front().devices.push_back({DeviceId(0), {}, Rank(0)});
    const Result<LaunchPlan> plan = makePlan(spec, table, QStringLiteral("/"), facts);
    if (!plan)
        return plan.error();
    return preflight(*plan, facts.environment);
}

} // namespace rankdeck

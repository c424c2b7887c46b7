#include "launchplanning.h"

#include "launch/planlaunch.h"
#include "ranktable/ranktablelocation.h"
#include "tablewait.h"

#include <QFileInfo>

namespace rankdeck
{

QString tablePathOf(const LaunchSpec &spec, const HostFacts &facts)
{
    if (!needsRankTable(spec) && spec.rankTableFile.isEmpty())
        return {};
    return QFileInfo(rankTablePath(spec.rankTableFile, facts.environment)).absoluteFilePath();
}

Result<LaunchPlan> planOfLaunch(const LaunchSpec &spec, const HostFacts &facts, int waitSeconds)
{
    if (!needsRankTable(spec))
        return planLaunch(spec, {}, {}, facts);
    const QString path = tablePathOf(spec, facts);
    const auto waited =
        waitForTable(path, std::chrono::seconds(waitSeconds), [&](const QString &status, int seconds) {
            if (seconds % 60 == 0)
                sayWaiting(path, status, seconds);
        });
    if (!waited.table)
        return waited.table.error();
    return planLaunch(spec, *waited.table, path, facts);
}

} // namespace rankdeck

#include "earlylaunch.h"

#include "agent/launcher.h"
#include "launch/launchfacts.h"
#include "launch/planlaunch.h"
#include "ranktable/ranktablecheck.h"
#include "ranktable/ranktablelocation.h"

#include <QFileInfo>

namespace rankdeck
{

std::optional<Result<QString>> launchEarly(const LaunchSpec &spec)
{
    const Result<HostFacts> facts = gatherLaunchFacts(spec);
    if (!facts)
        return facts.error();
    if (!needsRankTable(spec)) {
        const Result<LaunchPlan> plan = planLaunch(spec, {}, {}, *facts);
        if (!plan)
            return plan.error();
        return startRun(spec, *plan);
    }
    const QString path = QFileInfo(rankTablePath(spec.rankTableFile, facts->environment)).absoluteFilePath();
    const Result<CheckReport> report = checkRankTableFile(path);
    if (!report && !QFileInfo::exists(path))
        return report.error();
    // What cannot be parsed may be half written: waiting deals with that, and tells if it stays so. Whether a
    // table with errors is launched is asked in the window.
    if (!report || report->hasErrors() || !report->table.isCompleted())
        return {};
    const Result<LaunchPlan> plan = planLaunch(spec, report->table, path, *facts);
    if (!plan)
        return plan.error();
    return startRun(spec, *plan);
}

} // namespace rankdeck

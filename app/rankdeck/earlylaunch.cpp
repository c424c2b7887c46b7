#include "earlylaunch.h"

#include "agent/launcher.h"
#include "launch/hostfacts.h"
#include "launch/planlaunch.h"
#include "ranktable/ranktablelocation.h"
#include "ranktable/ranktablereader.h"

#include <QFileInfo>

namespace rankdeck
{

std::optional<Result<QString>> launchEarly(const LaunchSpec &spec)
{
    const HostFacts facts = HostFacts::gather();
    const QString path = QFileInfo(rankTablePath(spec.rankTableFile, facts.environment)).absoluteFilePath();
    const Result<RankTable> table = readRankTable(path);
    if (!table && !QFileInfo::exists(path))
        return table.error();
    // What cannot be parsed may be half written: waiting deals with that, and tells if it stays so.
    if (!table || !table->isCompleted())
        return {};
    const Result<LaunchPlan> plan = planLaunch(spec, *table, path, facts);
    if (!plan)
        return plan.error();
    return startRun(spec, *plan);
}

} // namespace rankdeck

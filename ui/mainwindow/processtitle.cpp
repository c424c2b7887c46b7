#include "mainwindow/processtitle.h"

#include "mainwindow/runlogs.h"
#include "state/statewords.h"

namespace rankdeck
{

QString processTitle(const ProcessPlan &process)
{
    if (process.role == Role::Tool)
        return RunLogs::tr("%1 at rank %2").arg(process.argv.constFirst()).arg(process.rank.value);
    if (process.role == Role::Scheduler)
        return RunLogs::tr("scheduler");
    if (process.device == ProcessPlan::noDevice)
        return RunLogs::tr("rank %1").arg(process.rank.value);
    return RunLogs::tr("rank %1  device %2").arg(process.rank.value).arg(process.device.value);
}

QString processStateWords(const RankState &rank)
{
    return rank.status && !rank.status->isSuccess()
               ? RunLogs::tr("%1: %2", "state: exit status").arg(shownWord(rank.phase), rank.status->text())
               : shownWord(rank.phase);
}

} // namespace rankdeck

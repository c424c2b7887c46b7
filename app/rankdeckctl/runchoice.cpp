#include "runchoice.h"

#include "run/runcatalog.h"

#include <QCoreApplication>

namespace rankdeck
{

bool ChosenRun::isLive() const
{
    return rankdeck::isLive(currentPhase(record));
}

Result<ChosenRun> chooseRun(const QString &name)
{
    const auto directory = findRun(name);
    if (!directory)
        return directory.error();
    const auto record = readRunRecord(*directory);
    if (!record)
        return record.error();
    return ChosenRun{*directory, *record};
}

Result<ChosenRun> chooseLiveRun(const QString &name, const QString &mend)
{
    const auto run = chooseRun(name);
    if (run && !run->isLive())
        return Error{QCoreApplication::translate("runchoice", "this run has ended: it has no processes"),
                     run->record.name, mend};
    return run;
}

} // namespace rankdeck

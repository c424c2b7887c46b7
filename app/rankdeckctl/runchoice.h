#pragma once

#include "result.h"
#include "run/runrecord.h"

#include <QString>

namespace rankdeck
{

/// The run that a command is for.
struct ChosenRun {
    QString directory;
    RunRecord record;
    bool isLive() const;
};

/// By what the command line calls it. Error: there is none, or its record cannot be read.
Result<ChosenRun> chooseRun(const QString &name);

/// The same of a run that is live. Error: also, it is not; `mend` is what to do then.
Result<ChosenRun> chooseLiveRun(const QString &name, const QString &mend);

} // namespace rankdeck

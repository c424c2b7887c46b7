#pragma once

#include "base/result.h"

namespace rankdeck
{

/// Returns the directory of the run that a command line names, see findRun(). Without a name that is the
/// newest live run, else the newest, and its name is said on standard error. Fails if there is none.
Result<QString> runGiven(const QString &name);
/// Does the same for a command that changes a run: without a name fails if several runs are live.
Result<QString> runToChange(const QString &name);

} // namespace rankdeck

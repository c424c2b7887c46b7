#pragma once

#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// The failure of the process at `index` of `plan`, with the tail of its log as it stands now. Reads that
/// file.
Failure failureOf(const LaunchPlan &plan, int index, qint64 pid, const ExitStatus &status,
                  const QString &reason);

/// The failure of a hook before the launch, told by a BeforeFailed event; of no rank.
Failure failureOfHook(const LaunchPlan &plan, const RunEvent &event);

/// Make the tail that of its log as it stands now. Reads that file.
void readLogAgain(Failure &failure);

/// "Rank 3 failed first: exit code 3": the first line of report and dialog, without a full stop.
QString failureTitle(const Failure &failure);

/// One sentence of advice: where to look next.
QString failureAdvice(const Failure &failure);

} // namespace rankdeck

#pragma once

#include "diagnosis/failureexplanation.h"
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

/// Plain text for a colleague: the failure, what is known of its error, the other ranks, the launch. Needs
/// `state.failure`.
QString failureReport(const RunState &state, const FailureExplanation &explanation);

/// The same with explainFailure(), which reads a file.
QString failureReport(const RunState &state);

} // namespace rankdeck

#pragma once

#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// What is known about a scheduler that failed: how many of the cluster's workers were started on this node,
/// which were not, which had ended before it, and whether the time that the cluster had to form was over.
/// What the workers of other nodes did is not known here.
/// @param process the scheduler's index in the plan; it has ended.
QString schedulerFailureReason(const RunState &state, int process);

} // namespace rankdeck

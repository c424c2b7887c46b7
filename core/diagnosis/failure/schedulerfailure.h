#pragma once

#include "run/runstate.h"

#include <QString>

namespace rankdeck
{

/// What is known about a scheduler that failed: how many of the cluster's workers were started on this node,
/// which were not, which had ended before it, and whether the time that the cluster had to form was over; of
/// other nodes' workers, what its log says: which never came, which fell silent. Reads that log.
/// @param process the scheduler's index in the plan; it has ended.
QString schedulerFailureReason(const RunState &state, int process);

/// What the log of a scheduler of this run says of workers that are missing in its cluster, when a worker has
/// failed first: which fell silent; and which never came, once the time to form was over. Reads that log.
/// Empty when there is no scheduler here, or it misses nobody.
QString missingWorkersReason(const RunState &state);

} // namespace rankdeck

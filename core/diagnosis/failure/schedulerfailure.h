#pragma once

#include "base/tr.h"

#include <set>

namespace rankdeck
{

struct RunState;

/// What MindSpore's scheduler logged about its workers. They are named by MindSpore's node ids, as plain
/// text: ranks if msrun numbered the workers.
struct SchedulerLog {
    QStringList registered; ///< Workers that came to it, in this order; empty at GLOG_v=3, too.
    QStringList timedOut;   ///< Those that it heard of no more.
    std::set<int> ranks;    ///< Of the workers that came, as far as it names them.
    int expected = 0;       ///< How many were to come; 0: not told.
    bool isFormed = false;  ///< All workers of the cluster had come.

    /// Returns the ranks that never came; none where it does not name the rank of each that came.
    std::set<int> absent() const;
};

/// Reads the first 4 MiB of the log, where workers register, and its last MiB.
/// Source: MindSpore's meta_server_node.cc (ProcessRegister, UpdateTopoState), and _analyze_log() of
/// mindspore.parallel.cluster.process_entity, which looks for the same lines.
SchedulerLog readSchedulerLog(const QString &path);

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

#pragma once

#include "base/tr.h"

#include <set>

namespace rankdeck
{

struct RunState;

/// The messages of MindSpore's scheduler about its workers. It names them by MindSpore's node ids, as plain
/// text: ranks if msrun numbered the workers.
struct SchedulerLog {
    QStringList registered; ///< Workers that came to it, in this order; empty at GLOG_v=3, too.
    QStringList timedOut;   ///< Workers that the scheduler lost contact with.
    std::set<int> ranks;    ///< Ranks of the registered workers, as far as the log names them.
    int expected = 0;       ///< Expected number of workers; 0: not reported.
    bool isFormed = false;  ///< All workers of the cluster had come.

    /// Returns the ranks that never came; none where it does not name the rank of each that came.
    std::set<int> absent() const;
};

/// Reads the first 4 MiB of the log, where workers register, and its last MiB.
/// Source: MindSpore's meta_server_node.cc (ProcessRegister, UpdateTopoState), and _analyze_log() of
/// mindspore.parallel.cluster.process_entity, which looks for the same lines.
SchedulerLog readSchedulerLog(const QString &path);

/// Returns what is known about a scheduler that failed: how many of the cluster's workers were started on
/// this node, which were not started, which exited before it, and whether the time to form the cluster was
/// over; for workers of other nodes, which never registered and which the scheduler lost, by its log. Reads
/// that log.
/// @param process the scheduler's index in the plan; it has exited.
QString schedulerFailureReason(const RunState &state, int process);

/// Returns what this run's scheduler logged about missing workers, when a worker failed first: those that it
/// lost; and, once the time to form the cluster is over, those that never registered. Reads that log. Empty
/// if there is no scheduler on this node, or if it misses no worker.
QString missingWorkersReason(const RunState &state);

} // namespace rankdeck

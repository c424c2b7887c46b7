#pragma once

#include <QString>

namespace rankdeck
{

/// msrun's own options; names and defaults are its own.
/// Source: MindSpore, mindspore/parallel/cluster/run.py (mid-2025 master).
struct MsrunOptions {
    int workerNum = 8;      ///< --worker_num: ranks of all nodes, from 1.
    int localWorkerNum = 8; ///< --local_worker_num: ranks of this node, 1 .. workerNum.
    QString masterAddr =
        QStringLiteral("127.0.0.1");              ///< --master_addr: the scheduler's host, a name or IPv4.
    int masterPort = 8118;                        ///< --master_port: 1024 .. 65535.
    int nodeRank = -1;                            ///< --node_rank; -1: not given.
    bool join = false;                            ///< --join: wait for the run's end; else return at once.
    int clusterTimeOut = 600;                     ///< --cluster_time_out: seconds; negative: without end.
    int simLevel = -1;                            ///< --sim_level: dry run 0 .. 3; -1: none.
    int simRankId = -1;                           ///< --sim_rank_id.
    QString workerLogName;                        ///< --worker_log_name: may hold {ip} and {hostname}.
    QString tailWorkerLog = QStringLiteral("-1"); ///< --tail_worker_log: ranks with commas; "-1": all.

    bool operator==(const MsrunOptions &) const = default;
};

} // namespace rankdeck

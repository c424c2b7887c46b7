#pragma once

#include "launch/plan/launchplan.h"

#include <map>

namespace rankdeck
{

/// Plans an empty launch around logs whose rank is only a number in their path: rank_3.log, rank_3/info.log,
/// train_parallel3/log, device3/train.log, log3.log, stdout.3, slurm-17_3.out, 1/rank.3/stdout. Looks into
/// folders below, follows no links and reads no file. The number behind the word that names a rank best
/// counts; else the one that differs between the files. If a rank has several logs, the one with errors is
/// its stderrFile, and the newest of the others its logFile. Nothing if no path has such a number.
std::optional<LaunchPlan> numberedLogs(const QString &directory);

/// Returns true for the names that logs have: train.log, out.txt, slurm-17.out, stderr, workerlog.3.
bool isLogName(const QString &name);

/// Returns the rank in the name of a file, if a word beside the number marks it as one: rank_3.log.
std::optional<int> rankInName(const QString &name);

/// Plans a worker with nothing but a rank and a log.
ProcessPlan workerWith(int rank, const QString &log);

/// Plans an empty launch of processes, which are given by rank.
LaunchPlan planOf(const QString &launcher, const std::map<int, ProcessPlan> &processes);

/// Returns true if a path names a node: "node1/train.log", "10.0.0.7.log".
bool namesNode(const QString &path);

/// Returns the launch for the logs below `directory` by the ranks in their beginnings: "rank 3 of 8",
/// "RANK=3", HCCL's "rank[3]"; also for plogs. Nothing unless most logs show a rank, each another one; of
/// plogs, of which some show none or the same, each process as a Console.
std::optional<LaunchPlan> logsByContent(const QString &directory);

} // namespace rankdeck

#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

namespace rankdeck
{

/// Which streams of a process go to a file; torch elastic's Std, a bit mask.
enum class Streams { None = 0, Out = 1, Error = 2, All = 3 };

/// Options of launcher "processes": start_processes of torch elastic, and torchrun's for one group of ranks.
/// Source: torch.distributed.elastic.multiprocessing.start_processes and torch.distributed.run (1.13 and
/// master).
struct ProcessesOptions {
    /// By local rank: arguments after LaunchSpec::command, and variables on top of the group's. Where one is
    /// given, its keys must be 0 .. nproc - 1.
    QMap<int, QStringList> args;
    QMap<int, QMap<QString, QString>> envs;
    QMap<int, Streams> redirects; ///< By local rank; those not named: defaultRedirect.
    QMap<int, Streams> tee;       ///< By local rank; those not named: defaultTee. Tee implies redirect.
    Streams defaultRedirect = Streams::All;
    Streams defaultTee = Streams::None;

    int nproc = 1;    ///< --nproc: ranks of this node, from 1. Given by args or envs where those are.
    int nnodes = 1;   ///< --nnodes, from 1.
    int nodeRank = 0; ///< --node-rank, 0 .. nnodes - 1.
    QString masterAddr = QStringLiteral("127.0.0.1"); ///< --master-addr.
    int masterPort = 29500;                           ///< --master-port: 1 .. 65535.
    QString role = QStringLiteral("default");         ///< --role.
    int maxRestarts = 0;                              ///< --max-restarts of the whole group, from 0.

    bool operator==(const ProcessesOptions &) const = default;
};

} // namespace rankdeck

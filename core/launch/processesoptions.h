#pragma once

#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// Which streams of a process go to a file; torch elastic's Std, a bit mask.
enum class Streams { None = 0, Out = 1, Error = 2, All = 3 };

constexpr bool contains(Streams streams, Streams stream)
{
    return (static_cast<int>(streams) & static_cast<int>(stream)) == static_cast<int>(stream);
}
constexpr Streams operator|(Streams one, Streams other)
{
    return static_cast<Streams>(static_cast<int>(one) | static_cast<int>(other));
}
constexpr Streams without(Streams streams, Streams taken)
{
    return static_cast<Streams>(static_cast<int>(streams) & ~static_cast<int>(taken));
}

/// NONE, OUT, ERR or ALL.
QString streamsWord(Streams streams);
/// From 0-3 or one of the words; nothing for anything else.
std::optional<Streams> streamsFrom(const QString &text);

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
    /// Where neither redirects nor tee is asked for, nothing is kept from the files or from the console.
    Streams defaultTee = Streams::All;

    int nproc = 1;    ///< --nproc: ranks of this node, from 1. Given by args or envs where those are.
    int nnodes = 1;   ///< --nnodes, from 1.
    int nodeRank = 0; ///< --node-rank, 0 .. nnodes - 1.
    QString masterAddr = QStringLiteral("127.0.0.1"); ///< --master-addr.
    int masterPort = 29500;                           ///< --master-port: 1 .. 65535.
    QString role = QStringLiteral("default");         ///< --role.
    int maxRestarts = 0;                              ///< --max-restarts of the whole group, from 0.

    /// The streams of a local rank that have files of their own; those of tee included.
    Streams redirectOf(int localRank) const;
    Streams teeOf(int localRank) const;
    bool operator==(const ProcessesOptions &) const = default;
};

} // namespace rankdeck

#pragma once

#include <QString>

namespace rankdeck
{

/// Which nodes a launch is for, and how they are reached.
struct NodeOptions {
    /// --nodes: "a,b,c", host names, addresses or names of ssh's configuration; with Slurm its own short
    /// forms too. The order is that of the node ranks.
    QString list;
    QString transport = QStringLiteral("auto"); ///< --transport: auto, local, ssh or slurm.
    QString sshConfig;                          ///< --ssh-config, ssh's -F; empty: the user's own.
    QString program;    ///< --node-program, rankdeckctl there; empty: in their PATH, else a copy.
    bool mirror = true; ///< Logs are copied here while they grow; --no-mirror: only those somebody looks at.
    int silenceSeconds = 30; ///< --node-timeout: a node that says nothing for so long is lost, 5 .. 3600.
    /// --slurm-options, words of salloc's where the launch asks for an allocation itself: "-p npu -t 60".
    QString slurmOptions;
    int slurmWaitSeconds = 3600; ///< --slurm-wait: in which Slurm must have given it, 1 .. 2592000.

    /// Whether the launch is for other nodes than this one; else its launcher's own rule says what this node
    /// starts.
    bool isForNodes() const { return !list.isEmpty() || transport != QLatin1String("auto"); }
    bool operator==(const NodeOptions &) const = default;
};

} // namespace rankdeck

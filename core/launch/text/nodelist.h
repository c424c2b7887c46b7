#pragma once

#include "base/result.h"
#include "launch/spec/launcheroptions.h"

#include <QProcessEnvironment>

namespace rankdeck
{

/// How a node is reached: always by the user's own programs; Rankdeck listens on no port.
enum class TransportKind {
    Local,   ///< A child process, on this node.
    Ssh,     ///< OpenSSH's ssh with the user's own configuration and keys, never with a question.
    Slurm,   ///< srun, inside an allocation.
    Command, ///< StreamCommand: into a container.
};

/// "local", "ssh" or "slurm"; empty for Command, which each launch has its own text for.
QString transportWord(TransportKind kind);

/// Returns the name of the transport in a plan: transportWord(), or the text of the command.
QString transportName(TransportKind kind, const NodeOptions &options);

/// Returns the transport of `options`. "auto" is Slurm inside one of its allocations, else ssh, or this node
/// itself if no node is named. Fails for an unknown word, and for a command of another form.
Result<TransportKind> chooseTransport(const NodeOptions &options, const QProcessEnvironment &environment);

bool isInAllocation(const QProcessEnvironment &environment);

/// Returns an error for Slurm outside an allocation: before the launch there are no nodes to reach.
std::optional<Error> problemWithoutAllocation(TransportKind kind, const QProcessEnvironment &environment);

/// Reads a list of nodes, "a,b,c", in its order. Fails if it is empty, names a node twice, or has something
/// that is not a host's name or address ("user@host" is allowed), so that no node is an option to ssh or
/// srun.
Result<QStringList> readNodeList(const QString &list);

/// Reads a list that may have Slurm's short forms ("node[1-4]"), which scontrol expands; an empty list is the
/// whole allocation. Runs scontrol and waits for it: not for the GUI thread.
Result<QStringList> readSlurmNodeList(const QString &list, const QProcessEnvironment &environment);

/// Returns the nodes that `options` name, by either function above; without names an empty list, but inside
/// an allocation all its nodes, and for Command the one that it leads to. Fails if a command leads to one
/// node and several are named. As slow as readSlurmNodeList().
Result<QStringList> namedNodes(TransportKind kind, const NodeOptions &options,
                               const QProcessEnvironment &environment);

} // namespace rankdeck

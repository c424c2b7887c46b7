#pragma once

#include "launch/nodeoptions.h"
#include "result.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <optional>

namespace rankdeck
{

/// What reaches a node: nothing of ours listens there, its owner's own programs do.
enum class TransportKind {
    Local, ///< A child process, on this node.
    Ssh,   ///< OpenSSH's ssh with the user's own configuration and keys, never with a question.
    Slurm, ///< srun, inside an allocation.
};

/// "local", "ssh" or "slurm".
QString transportWord(TransportKind kind);

/// What "auto" is: Slurm inside one of its allocations, else ssh, and this node itself where no node is
/// named. Error: an unknown word.
Result<TransportKind> chooseTransport(const NodeOptions &options, const QProcessEnvironment &environment);

bool isInAllocation(const QProcessEnvironment &environment);

/// Why nodes cannot be reached by `kind` before a launch: with Slurm, outside an allocation, there are none.
std::optional<Error> problemWithoutAllocation(TransportKind kind, const QProcessEnvironment &environment);

/// Nodes of a list, "a,b,c", in its order. Error: an empty list, a node named twice, and what cannot be a
/// host's name or address ("user@host" can), so that no node is an option to ssh or srun.
Result<QStringList> readNodeList(const QString &list);

/// The same with Slurm's own short forms ("node[1-4]") spelled out by scontrol; an empty list is the whole
/// allocation. Runs scontrol and waits for it: not for the GUI thread.
Result<QStringList> readSlurmNodeList(const QString &list, const QProcessEnvironment &environment);

/// The nodes that `options` name, one way or the other; none: an empty list, but inside an allocation all of
/// it. As slow as readSlurmNodeList().
Result<QStringList> namedNodes(TransportKind kind, const NodeOptions &options,
                               const QProcessEnvironment &environment);

} // namespace rankdeck

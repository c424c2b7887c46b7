#pragma once

#include "agent/agenttransport.h"
#include "result.h"

#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <memory>

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

/// How nodes are to be reached.
struct TransportOptions {
    QString transport = QStringLiteral("auto"); ///< A transport's word, or "auto".
    QString sshConfig;                          ///< ssh's -F; empty: the user's own configuration.
    QString program;                            ///< rankdeckctl on the nodes; empty: found in their PATH.
};

/// What "auto" is: Slurm inside one of its allocations, else ssh, and this node itself where no node is
/// named. Error: an unknown word; Slurm outside an allocation.
Result<TransportKind> chooseTransport(const TransportOptions &options, bool namesNodes,
                                      const QProcessEnvironment &environment);

/// Nodes of a list, "a,b,c", in its order. Error: an empty list, a node named twice, and what cannot be a
/// host's name or address ("user@host" can), so that no node is an option to ssh or srun.
Result<QStringList> readNodeList(const QString &list);

/// The same with Slurm's own short forms ("node[1-4]") spelled out by scontrol; an empty list is the whole
/// allocation. Runs scontrol and waits for it: not for the GUI thread.
Result<QStringList> readSlurmNodeList(const QString &list, const QProcessEnvironment &environment);

/// The command that starts an agent on `node`; empty for Local.
QStringList transportCommand(TransportKind kind, const QString &node, const TransportOptions &options);

/// @param ownProgram rankdeckctl of this node, for Local.
std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const TransportOptions &options, const QString &ownProgram);

/// Host keys that the user accepted in Rankdeck, in ssh's own format; ssh reads it beside the user's.
QString knownHostsPath();

} // namespace rankdeck

#pragma once

#include "agent/transport/agenttransport.h"
#include "launch/text/nodelist.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <memory>

namespace rankdeck
{

/// The transport of a plan by its word; Local for any other.
TransportKind transportFrom(const QString &word);

/// The command that carries out a script, such as findProgramScript(), on `node`, by a POSIX shell and with
/// `arguments` as its "$0", "$1" …; empty for Local.
QStringList transportCommand(TransportKind kind, const QString &node, const NodeOptions &options,
                             const QByteArray &script, const QStringList &arguments);

/// Whether a node that has no rankdeckctl gets a copy of this machine's.
enum class CopyPolicy {
    Copy,
    OnlySay, ///< AgentTransport::wantedCopy().
};

/// @param ownProgram rankdeckctl of this node: the one that Local runs, and that others may get a copy of.
std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const NodeOptions &options, const QString &ownProgram,
                                              CopyPolicy policy = CopyPolicy::Copy);

/// To the agent that waits on `node` as `id` (RejoinSocket), over ssh: where srun has ended, Slurm ends what
/// it had started.
std::unique_ptr<AgentTransport> makeRejoinTransport(const QString &node, const NodeOptions &options,
                                                    const QString &program, const QString &id);

/// Host keys that the user accepted in Rankdeck, in ssh's own format; ssh reads it beside the user's.
QString knownHostsPath();

} // namespace rankdeck

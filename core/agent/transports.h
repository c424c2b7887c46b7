#pragma once

#include "agent/agenttransport.h"
#include "launch/nodelist.h"

#include <QString>
#include <QStringList>

#include <memory>

namespace rankdeck
{

/// The command that starts an agent on `node`; empty for Local.
QStringList transportCommand(TransportKind kind, const QString &node, const NodeOptions &options);

/// @param ownProgram rankdeckctl of this node, for Local.
std::unique_ptr<AgentTransport> makeTransport(TransportKind kind, const QString &node,
                                              const NodeOptions &options, const QString &ownProgram);

/// Host keys that the user accepted in Rankdeck, in ssh's own format; ssh reads it beside the user's.
QString knownHostsPath();

} // namespace rankdeck

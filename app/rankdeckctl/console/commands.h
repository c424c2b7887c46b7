#pragma once

#include "agent/supervise/guardian.h"

namespace rankdeck
{

// Each command takes what follows its name and returns the program's exit code.

int davincirunCommand(const QStringList &arguments);
int msrunCommand(const QStringList &arguments);
int processesCommand(const QStringList &arguments);
int runCommand(const QStringList &arguments);
int profileCommand(const QStringList &arguments);
int importCommand(const QStringList &arguments);
int planCommand(const QStringList &arguments);
int preflightCommand(const QStringList &arguments);
int listCommand(const QStringList &arguments);
int deleteCommand(const QStringList &arguments);
int keepCommand(const QStringList &arguments);
int attachCommand(const QStringList &arguments);
int waitCommand(const QStringList &arguments);
int stopCommand(const QStringList &arguments);
int debugCommand(const QStringList &arguments);
int signalCommand(const QStringList &arguments);
int dumpCommand(const QStringList &arguments);
int logsCommand(const QStringList &arguments);
int progressCommand(const QStringList &arguments);
int explainCommand(const QStringList &arguments);
int devicesCommand(const QStringList &arguments);
int nodesCommand(const QStringList &arguments);
int reportCommand(const QStringList &arguments);
int openCommand(const QStringList &arguments);
int rankTableCommand(const QStringList &arguments);
int collectiveCommand(const QStringList &arguments);
int superviseCommand(const QStringList &arguments);
/// Runs in the guardian of an agent that has died: ends what it left. Returns the agent's exit code.
int lostAgentCommand(const GuardedProcess &agent);
/// Runs in the guardian of a supervisor that has died. `arguments` are those of `supervise`.
int lostRunCommand(const QStringList &arguments, const GuardedProcess &supervisor);
int agentCommand(const QStringList &arguments);

} // namespace rankdeck

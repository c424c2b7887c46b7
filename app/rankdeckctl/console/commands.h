#pragma once

#include "agent/supervise/guardian.h"
#include "rankdeckctl/console/options.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

// Each command takes what follows its name, or its options, which main() reads. It returns the program's exit
// code.

/// Returns the command that launches with `launcher`, or for "run" a profile or an earlier run again.
std::function<int(const QStringList &)> launcherCommand(const char *launcher);
int profileCommand(const QStringList &arguments);
int importCommand(const QStringList &arguments);
int planCommand(const QStringList &arguments);
int preflightCommand(const QStringList &arguments);
int listCommand(const Options &options);
int deleteCommand(const Options &options);
int keepCommand(const Options &options);
int attachCommand(const Options &options);
int waitCommand(const Options &options);
int stopCommand(const Options &options);
int debugCommand(const Options &options);
int signalCommand(const Options &options);
int dumpCommand(const Options &options);
int logsCommand(const QStringList &arguments);
int progressCommand(const Options &options);
int explainCommand(const Options &options);
int devicesCommand(const QStringList &arguments);
int nodesCommand(const QStringList &arguments);
int reportCommand(const Options &options);
int openCommand(const Options &options);
int rankTableCommand(const QStringList &arguments);
int collectiveCommand(const QStringList &arguments);
int superviseCommand(const Options &options);
/// Runs in the guardian of an agent that has died: ends what it left. Returns the agent's exit code.
int lostAgentCommand(const GuardedProcess &agent);
/// Runs in the guardian of a supervisor that has died. `arguments` are those of `supervise`.
int lostRunCommand(const QStringList &arguments, const GuardedProcess &supervisor);
int agentCommand(const Options &options);

} // namespace rankdeck

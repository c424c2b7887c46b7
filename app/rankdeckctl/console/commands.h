#pragma once

#include "agent/supervise/guardian.h"
#include "optionparser/optionparser.h"
#include "rankdeckctl/console/output.h"

namespace rankdeck
{

// What the commands of the table do, each with its options. They return the program's exit code.

/// Launches by the launcher that the command is named after, or by "run".
int launcherCommand(const Options &options);
int demoCommand(const Options &options);
int planCommand(const Options &options);
int preflightCommand(const Options &options);
int importCommand(const Options &options);
int adoptCommand(const Options &options);
int listCommand(const Options &options);
int attachCommand(const Options &options);
int topCommand(const Options &options);
int replayCommand(const Options &options);
int logsCommand(const Options &options);
int progressCommand(const Options &options);
int compareCommand(const Options &options);
int waitCommand(const Options &options);
int reportCommand(const Options &options);
int explainCommand(const Options &options);
int collectivesCommand(const Options &options);
int dumpCommand(const Options &options);
int debugCommand(const Options &options);
int openCommand(const Options &options);
int stopCommand(const Options &options);
int signalCommand(const Options &options);
int restartCommand(const Options &options);
int keepCommand(const Options &options);
int deleteCommand(const Options &options);
int profileListCommand(const Options &options);
int profileShowCommand(const Options &options);
int profileSaveCommand(const Options &options);
int profileRemoveCommand(const Options &options);
int testNodesCommand(const Options &options);
int trustNodeCommand(const Options &options);
int devicesCommand(const Options &options);
int collectiveCommand(const Options &options);
int checkRankTablesAction(const Options &options);
int showRankTableAction(const Options &options);
int convertRankTableAction(const Options &options);
int mergeRankTablesAction(const Options &options);
int subsetOfRankTableAction(const Options &options);
int generateRankTableAction(const Options &options);
int initRankTableAction(const Options &options);
int waitForRankTableAction(const Options &options);

int superviseCommand(const Options &options);
int agentCommand(const Options &options);
/// Runs in the guardian of an agent that has died: ends what it left. Returns the agent's exit code.
int lostAgentCommand(const GuardedProcess &agent);
/// Runs in the guardian of a supervisor that has died. `arguments` are those of `supervise`.
int lostRunCommand(const QStringList &arguments, const GuardedProcess &supervisor);
/// Prints what may stand in place of a word of a command line, for the completion of shells.
int completeCommand(const Options &options);
/// Prints the table of commands as JSON, for the manual and tests.
int tableCommand(const Options &options);

} // namespace rankdeck

#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

// Planners: the processes that each launcher starts on this node, without starting anything.

namespace rankdeck
{

/// Returns JOB_ID: BATCH_JOB_ID, else MA_VJ_NAME with the first "ma-job" made "modelarts-job", else the host
/// name.
QString davincirunJobId(const HostFacts &facts);

/// Returns the plan that davincirun would carry out on this node: one process for each device of this server.
/// A .py script is run with scriptInterpreter(); the work directory is made where it is missing.
/// @param table as read from `tablePath`; must be completed.
/// Errors: empty command, unfinished table, a form without servers (versions 1.1 and 2.0, the global table),
/// no server or several for this host (findThisServer()), values out of range.
Result<LaunchPlan> planDavincirun(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                                  const HostFacts &facts);

/// Returns the first error in msrun's options that does not depend on the host: a value out of range or
/// malformed, or no script. planMsrun() checks the options that a dry run changes.
std::optional<Error> problemWithMsrunOptions(const LaunchSpec &spec);

/// Returns an error if the master of an msrun launch is a loopback address here, by its name or by default,
/// while other nodes take part. Nothing for other launchers, and for options that planMsrun() refuses.
/// @param facts its `routes` as for planMsrun().
std::optional<Error> problemWithMsrunMaster(const LaunchSpec &spec, const HostFacts &facts);

/// Returns why MindSpore will not take the ranks of an msrun launch from its rank table: another number of
/// devices, or this host is not in it. Nothing for other launchers, without a table, and for a dry run.
/// @param facts its `routes` and `rankTableText` as for planMsrun().
std::optional<Error> problemWithMsrunTable(const LaunchSpec &spec, const HostFacts &facts);

/// Returns sentences about variables that an earlier launch may have left in the environment (MS_*,
/// RANK_TABLE_FILE): one for those that the plan replaces or removes, one for those that reach the processes.
QList<Sentence> leftoverNotes(const LaunchPlan &plan, const QProcessEnvironment &environment);

/// Returns the plan that msrun would carry out on this node: the scheduler when --master_addr is this
/// machine, but not on a later node whose master is a loopback address, then the local workers. Environment,
/// ranks and log names are msrun's; LOCAL_RANK is added, and MS_NODE_RANK, which older releases lack, and
/// variables of an earlier launch that a process must not inherit are removed. A .py script is run with
/// scriptInterpreter(). Source: MindSpore, mindspore/parallel/cluster/process_entity/_api.py (mid-2025
/// master).
/// @param facts its `routes` must hold --master_addr when that is a name; see lookUpMaster().
/// Errors: what problemWithMsrunOptions() says; more local workers than workers; a node rank, dry-run rank or
/// cpu that does not exist.
Result<LaunchPlan> planMsrun(const LaunchSpec &spec, const HostFacts &facts);

/// Returns the plan of launcher "processes": `nproc` ranks of this node, each with the environment that
/// torchrun gives it. Needs no rank table. A stream that is redirected goes to <log dir>/<local
/// rank>/stdout.log or stderr.log, any other to the rank's log in the run directory, so that nothing is lost.
/// With restarts both are below a folder for each attempt, see attempt.h. Differences to torchrun:
/// TORCHELASTIC_USE_AGENT_STORE is False, as rank 0 makes the store itself; PYTHONUNBUFFERED=1 unless set,
/// where torchrun says python -u; TORCHELASTIC_RUN_ID is the launch's name. Source:
/// torch.distributed.elastic.multiprocessing.start_processes,
/// torch.distributed.elastic.agent.server.local_elastic_agent (1.13 and master). What its newer options mean
/// is in torchrunrules.h; a function is called as pythonfunction.h says.
/// Errors: local ranks that are missing or too many in args, envs, redirects or tee; values out of range.
Result<LaunchPlan> planProcesses(const LaunchSpec &spec, const HostFacts &facts);

/// Returns the plan of launcher "wrap": the command as one process of role Console, whatever ranks it starts.
/// Its output, with that of all ranks, is <log dir>/console.log. PYTHONUNBUFFERED=1 is set unless it is set.
/// Errors: options for single ranks, which a wrapped command cannot have; values out of range.
Result<LaunchPlan> planWrap(const LaunchSpec &spec, const HostFacts &facts);

} // namespace rankdeck

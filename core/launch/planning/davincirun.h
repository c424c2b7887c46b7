#pragma once

#include "launch/host/hostfacts.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// Returns the server_id of the server of `table` that is this machine, by davincirun's rules: for template 2
/// the instance named by BATCH_TASK_CURRENT_INSTANCE, else MA_CURRENT_INSTANCE_NAME; for the other forms with
/// several servers the one whose server_id is MA_CURRENT_HOST_IP; else the first. Fails if the
/// named server is not in the table; the error lists the servers.
Result<QString> findThisServer(const RankTable &table, const QProcessEnvironment &environment);

/// Returns JOB_ID: BATCH_JOB_ID, else MA_VJ_NAME with the first "ma-job" made "modelarts-job", else the host
/// name.
QString davincirunJobId(const HostFacts &facts);

/// Returns the plan that davincirun would carry out on this node: one process for each device of this server.
/// @param table as read from `tablePath`; must be completed.
/// Errors: empty command, unfinished table, a form without servers (versions 1.1 and 2.0, the global table),
/// no server for this host, values out of range.
Result<LaunchPlan> planDavincirun(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                                  const HostFacts &facts);

} // namespace rankdeck

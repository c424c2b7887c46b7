#pragma once

#include "launch/launchplan.h"
#include "result.h"

#include <QProcessEnvironment>

#include <optional>

namespace rankdeck
{

/// Check what can be checked before anything is written or started: each program exists and may be executed,
/// hooks' too, the working directory is there, the log directory can be written. The first problem is
/// returned, with its rank. Nothing when all is well, and of a plan for named nodes: each node checks its
/// own share.
/// @param ownRun the run that this is for, where its directory is there already.
std::optional<Error> preflight(const LaunchPlan &plan, const QProcessEnvironment &environment,
                               const QString &ownRun = {});

} // namespace rankdeck

#pragma once

#include "launch/launchspec.h"
#include "result.h"

#include <QByteArray>

namespace rankdeck
{

/// A spec of launcher "processes" with its defaults: torch's grace, logs in the run directory.
LaunchSpec processesDefaults();

/// What `rankdeckctl processes SPEC.json` reads: a LaunchSpec whose launcher, grace and log_dir default to
/// those of processesDefaults(); or one in the form that start_processes takes, with name, entrypoint (a
/// program, or a list of it and its first arguments), args, envs, log_dir, redirects and tee, beside the
/// other keys of a LaunchSpec. Error: no JSON, another launcher, a key that is unknown or of the wrong type.
Result<LaunchSpec> processesSpecFromJson(const QByteArray &text);

} // namespace rankdeck

#pragma once

#include "launch/hostfacts.h"
#include "launch/launchspec.h"
#include "result.h"

#include <QStringList>

namespace rankdeck
{

/// A spec with msrun's defaults instead of davincirun's: its log directory is the current one.
LaunchSpec msrunDefaults();

/// `spec` with the directories and files that it means by relative names, so that it means the same wherever
/// it is launched again.
LaunchSpec withAbsolutePaths(LaunchSpec spec, const HostFacts &facts);

/// msrun's command line: its own options as argparse reads them (`--opt value`, `--opt=value`, any beginning
/// of a name that only one option has), Rankdeck's (--name, --env, --work-dir, --grace), then the task script
/// and its arguments, which keep their own options.
/// Source: MindSpore, mindspore/parallel/cluster/run.py (mid-2025 master).
/// @param frontEndSwitches options without a value that are not the launcher's own; those given are added to
/// `found`. Errors: an option that is unknown, ambiguous, without its value or with a wrong one, by name; no
/// script; what problemWithMsrunOptions() says.
Result<LaunchSpec> parseMsrunArguments(const QStringList &arguments, const QStringList &frontEndSwitches = {},
                                       QStringList *found = nullptr);

/// The options, one a line, for --help.
QString msrunOptionsHelp();

/// The spec as the command line that parseMsrunArguments() reads, "msrun" not included. Options that have
/// their default are left out.
QStringList msrunArguments(const LaunchSpec &spec);

} // namespace rankdeck

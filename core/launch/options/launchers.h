#pragma once

#include "launch/host/hostfacts.h"
#include "launch/options/launchcommandline.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// A launcher: one row of the table from which its command, completion, help, planning and launch form are
/// made, and each text that lists launchers. Its texts are English, for tr().
struct Launcher {
    const char *name; ///< In a spec and on command lines: "msrun".
    /// The launcher whose specs a command line of this one makes; null: its own. Such a row has no planner.
    const char *spelling = nullptr;
    LaunchSpec (*defaults)() = nullptr;
    OptionRows (*rows)() = nullptr; ///< Its own options.
    /// Plans one node, see planners.h.
    Result<LaunchPlan> (*plan)(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                               const HostFacts &facts) = nullptr;
    bool needsRankTable = false;
    /// Checks a spec after its command line is read; null: planning checks it.
    std::optional<Error> (*problem)(const LaunchSpec &spec) = nullptr;
    const char *command;     ///< Its command in an error: "the script".
    const char *commandHelp; ///< Below the field of the command in the launch form.
    const char *about;       ///< Beside its name in the launch form.
    // For the help of rankdeckctl.
    const char *arguments; ///< "[OPTIONS] COMMAND…"
    const char *summary;
    const char *description;
    const char *example;
};

/// All launchers, in the order of rankdeckctl's help.
std::span<const Launcher> launchers();

/// Returns the launcher with this name; null if there is none.
const Launcher *findLauncher(const QString &name);

/// Returns the launchers that a spec can have: "davincirun", "msrun", "processes", "wrap".
QStringList launcherNames();
/// Returns the names of all launchers on a command line, "torchrun" too.
QStringList launcherWords();
/// Returns names for a sentence: "davincirun, msrun or wrap".
QString anyOf(QStringList names);

/// Returns a spec with msrun's defaults instead of davincirun's: its log directory is the current one.
LaunchSpec msrunDefaults();

/// Returns the command line of the launcher called `name`. Fails if no spec can have it.
Result<LaunchCommandLine> launcherCommandLine(const QString &name);

/// davincirun's command line. Source of the defaults: davincirunsdk 0.1.6.
LaunchCommandLine davincirunCommandLine();

/// msrun's command line. Its command is the task script and its arguments; values are checked by
/// problemWithMsrunOptions(). Source: MindSpore, mindspore/parallel/cluster/run.py (mid-2025 master).
LaunchCommandLine msrunCommandLine();

/// The command line of launcher "processes", which takes torchrun's names too (--nproc-per-node, -r, -t).
/// Without --redirects and --tee every stream goes to a file of its own and to the console; with one of them,
/// the other streams are as in torch: not redirected, not teed. Arguments and variables by local rank cannot
/// be given here: see processesSpecFromJson(). Source: torch.distributed.run (1.13 and master).
LaunchCommandLine processesCommandLine();

/// The command line of launcher "wrap": its command is another launcher, or a script that starts ranks.
LaunchCommandLine wrapCommandLine();

} // namespace rankdeck

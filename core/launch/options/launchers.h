#pragma once

#include "launch/host/hostfacts.h"
#include "launch/options/launchcommandline.h"
#include "launch/plan/launchplan.h"

namespace rankdeck
{

/// How the nodes of a launch share its ranks, see planNodes().
enum class NodeRule { OneNode, ByRankTable, ByWorkerNumber, ByNodeRank };

/// What programs in front of a launcher are in front of now, "numactl -N 0 conda run -n a msrun": numactl of
/// each rank, and conda of the command; or both of one of the two.
enum class FrontRule { Split, BeforeRank, BeforeCommand };

/// What a launch is in the words of the launcher that Rankdeck stands in for, see exportPeerCommandLine().
enum class PeerLine { Command, LauncherAndCommand, SameOptions, Torchrun };

/// A launcher: one row of the table from which its command, completion, help, planning and launch form are
/// made, and each text that lists launchers. Its texts are English, for tr().
struct Launcher {
    const char *name; ///< In a spec and on command lines: "msrun".
    /// The launcher whose specs a command line of this one makes; null: its own. Such a row has no planner.
    const char *spelling = nullptr;
    LaunchSpec (*defaults)() = nullptr;
    OptionRows (*rows)() = nullptr; ///< Its own options.
    const char *synonyms = "";      ///< Pairs of another name of an option and its own.
    /// Plans one node, see planners.h.
    Result<LaunchPlan> (*plan)(const LaunchSpec &spec, const RankTable &table, const QString &tablePath,
                               const HostFacts &facts) = nullptr;
    bool needsRankTable = false;
    bool replacesLocalRank = false; ///< ${local_rank} in its command.
    NodeRule nodeRule = NodeRule::OneNode;
    /// Returns the number of nodes that the options ask for; null: the rank table says it.
    int (*nodeCount)(const LaunchSpec &spec) = nullptr;
    SpecField<int> masterPort = nullptr;      ///< The port that the ranks meet at; null: none.
    const char *masterPortVariable = nullptr; ///< Chooses it too.
    SpecField<int> sharingRanks = nullptr;    ///< Ranks of a node that may share its NPUs; null: none do.
    const char *programs = ""; ///< That importCommandLine() reads as this launcher: "torchrun torch_npu_run".
    const char *modules = "";  ///< Python modules, likewise; all but the first keep their names.
    FrontRule frontRule = FrontRule::Split;
    PeerLine peerLine = PeerLine::Command;
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

} // namespace rankdeck

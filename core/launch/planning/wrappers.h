#pragma once

#include "base/ranks.h"
#include "base/result.h"

#include <optional>
#include <vector>

namespace rankdeck
{

struct LaunchPlan;
struct CommonOptions;

// Ranks started by another program, such as a debugger or a profiler: `gdb --args` in front of their command.

/// A wrapper that --wrap knows by name.
struct WrapperPreset {
    QString name;
    QString command; ///< As --wrap takes it, with placeholders.
    QString purpose; ///< A few words for people.
};
std::vector<WrapperPreset> wrapperPresets();

/// One value of --wrap, RANKS:COMMAND.
struct Wrapper {
    bool isForAll = false;
    QList<int> ranks; ///< If not all ranks: these, ascending.
    /// The words before the rank's own, with the placeholders {rank} and {output}: a path in the run
    /// directory, new in each attempt, as a prefix for names of files.
    QStringList words;

    bool isFor(Rank rank) const { return isForAll || ranks.contains(rank.value); }
};

/// Reads "0,3:gdb", a preset by its name, or "all:strace -f -o {output}.trace", any command, read as
/// splitCommandLine() does. Error: no ranks before a colon, no command after it, a quote left open.
Result<Wrapper> readWrapper(const QString &text);

/// Returns true if a program of this name reads from a terminal.
bool isInteractiveTool(const QString &program);

/// Puts the wrappers of --wrap before the commands of their ranks. Gives no terminals: see
/// interactiveRanks(). Fails as readWrapper(), or if a rank does not exist or has two wrappers.
std::optional<Error> wrapProcesses(LaunchPlan &plan, const CommonOptions &common);

/// Returns the ranks of this plan whose wrapper is an interactive tool, ascending.
QList<int> interactiveRanks(const LaunchPlan &plan);

} // namespace rankdeck

#pragma once

#include "launch/commonoptions.h"
#include "launch/launchplan.h"
#include "result.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace rankdeck
{

// Ranks started by another program, such as a debugger or a profiler: `gdb --args` in front of their command.

/// A wrapper that --wrap knows by its name alone.
struct WrapperPreset {
    QString name;
    QString command; ///< As --wrap takes it, with placeholders.
    QString purpose; ///< A few words for people.
};
std::vector<WrapperPreset> wrapperPresets();

/// What --wrap RANKS:COMMAND asks for.
struct Wrapper {
    bool isForAll = false;
    QList<int> ranks; ///< Else these, ascending.
    /// The words before the rank's own, with the placeholders {rank} and {output}: a path in the run
    /// directory, new in each attempt, that the program makes names of files from.
    QStringList words;

    bool isFor(Rank rank) const { return isForAll || ranks.contains(rank.value); }
};

/// "0,3:gdb", a preset by its name, or "all:strace -f -o {output}.trace", any command, read as
/// splitCommandLine() does. Error: no ranks before a colon, no command after it, a quote left open.
Result<Wrapper> readWrapper(const QString &text);

/// Whether a program of this name reads what is typed into a terminal.
bool isInteractiveTool(const QString &program);

/// Put the wrappers of --wrap before the commands of their ranks. What reads a terminal is left to the caller
/// (interactiveRanks()). Error: see readWrapper(); a rank that the launch does not have, or that has two.
std::optional<Error> wrapProcesses(LaunchPlan &plan, const CommonOptions &common);

/// The ranks of this plan whose wrapper is an interactive tool, ascending.
QList<int> interactiveRanks(const LaunchPlan &plan);

} // namespace rankdeck

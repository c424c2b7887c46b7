#pragma once

#include "rankdeckctl/console/options.h"

#include <vector>

namespace rankdeck
{

/// One option of a command: a row of its help.
struct CommandOption {
    QString name;  ///< "--tail", or "-n, --tail" with a short form.
    QString value; ///< What it takes: "N"; "[SECONDS]" if that may be left out; empty: a switch.
    QString help;
    QString usual = {}; ///< The value without the option.
    bool isRepeatable = false;

    /// The name without its short form.
    QString longName() const { return name.section(QLatin1Char(' '), -1); }
    QStringList names() const { return name.split(QLatin1String(", ")); }
};

struct OptionSection {
    QString title; ///< Empty: only Rankdeck itself gives these.
    std::vector<CommandOption> options;
};

struct ExitCode {
    QString code; ///< A number, or N for several.
    QString meaning;
};

/// How a command's words are read.
enum class Words {
    Options,     ///< Options and arguments in any order.
    CommandLine, ///< Options, then arguments that may look like options: those of a launcher.
    AsTheyAre,   ///< The command reads them, as launchers do.
};

/// A command of rankdeckctl, as the parser, --help, completion and the manual read it.
struct Command {
    QString name; ///< "list", "ranktable check".
    /// "[RUN] SIGNAL": brackets around what may be left out, … behind what may be repeated, | between
    /// alternatives. With Words::AsTheyAre any text, of several lines if there are several forms.
    QString arguments;
    QString summary; ///< In the list of commands.
    int (*run)(const Options &) = nullptr;
    QString description = {};
    std::vector<OptionSection> sections = {};
    std::vector<ExitCode> exitCodes = {}; ///< Without the usual ones of 0 and 2.
    QStringList examples = {};
    Words words = Words::Options;
    QString launcher = {}; ///< It also takes this launcher's options; "run": those of every launcher.

    std::vector<ExitCode> allExitCodes() const;
    /// Its own options, in the order of --help.
    std::vector<CommandOption> options() const;
    /// The same with its launcher's.
    std::vector<OptionSection> allSections() const;
    std::vector<CommandOption> allOptions() const;
};

struct CommandGroup {
    QString title; ///< Empty: only Rankdeck itself starts these.
    std::vector<Command> commands;
};

/// The table of all commands.
const std::vector<CommandGroup> &commandGroups();

/// Returns the command that the words name; null if there is none.
const Command *findCommand(const QStringList &words);
/// Returns the names of the users' commands that begin with `word`, with `word` itself: those of a family
/// such as "ranktable".
QStringList commandNames(const QString &word = {});

/// Returns the names of the switches of a command, short forms too.
QStringList switchNames(const QString &command);

} // namespace rankdeck

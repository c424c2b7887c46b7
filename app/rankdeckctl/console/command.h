#pragma once

#include "optionparser/optionparser.h"

namespace rankdeck
{

struct OptionSection {
    QString title; ///< Empty: only Rankdeck itself gives these.
    std::vector<CommandOption> options;
};

struct ExitCode {
    QString code; ///< A number, or N for several.
    QString meaning;
};

/// A command of rankdeckctl, as the parser, --help, completion and the manual read it.
struct Command {
    QString name; ///< "list", "ranktable check".
    /// "[RUN] SIGNAL": brackets around what may be left out, … behind what may be repeated, | between
    /// alternatives. With ArgumentStyle::AsTheyAre any text, of several lines if there are several forms.
    QString arguments;
    QString summary; ///< In the list of commands.
    int (*run)(const Options &) = nullptr;
    QString description = {};
    std::vector<OptionSection> sections = {};
    std::vector<ExitCode> exitCodes = {}; ///< Without the usual ones of 0 and 2.
    QStringList examples = {};
    ArgumentStyle words = ArgumentStyle::Options;
    QString launcher = {}; ///< It also takes this launcher's options; "run": those of every launcher.

    std::vector<ExitCode> allExitCodes() const;
    /// Its own options, in the order of --help.
    std::vector<CommandOption> options() const;
    /// The same with its launcher's.
    std::vector<OptionSection> allSections() const;
    std::vector<CommandOption> allOptions() const;
};

/// Reads a command's arguments, see parseOptions() in optionparser.h.
Result<Options> parseOptions(const Command &command, const QStringList &arguments);

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

/// Returns the help of rankdeckctl: all commands, or those of a family such as "ranktable". No line is longer
/// than 80 columns.
QString helpOfCommands(const QString &family = {});
/// Returns a command's help: usage, options by group, exit codes, examples.
QString helpOf(const Command &command);

} // namespace rankdeck

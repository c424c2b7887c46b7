#pragma once

#include "base/result.h"

#include <QMap>

#include <vector>

namespace rankdeck
{

/// One option of a program or of a command: a row of its help.
struct CommandOption {
    QString name;  ///< "--tail", or "-n, --tail" with a short form.
    QString value; ///< What it takes: "N"; "[SECONDS]" if that may be left out; empty: a switch.
    QString help;
    QString usual = {}; ///< The value without the option.
    bool isRepeatable = false;
    bool isAnyWord = false; ///< A value that may be left out may be any word, else only a number.

    /// The name without its short form.
    QString longName() const { return name.section(' '_L1, -1); }
    QStringList names() const { return name.split(", "_L1); }
};

/// Returns the option with this usage: "--tail N", "-n, --tail N", "--json".
CommandOption option(const char *usage, const QString &help, const QString &usual = {});

/// Returns the option with this name, spelled as the launchers allow; null if there is none.
const CommandOption *optionNamed(const std::vector<CommandOption> &options, const QString &name);

/// How the words of a command line are read.
enum class ArgumentStyle {
    Options,     ///< Options and arguments in any order.
    CommandLine, ///< Options, then arguments that may look like options: those of a launcher.
    AsTheyAre,   ///< The command reads them, as launchers do.
};

/// What a program or a command takes.
struct OptionSyntax {
    QString program;   ///< "rankdeckctl list", whose --help says more.
    QString arguments; ///< "[RUN] SIGNAL", see Command::arguments.
    std::vector<CommandOption> options;
    ArgumentStyle words = ArgumentStyle::Options;
};

/// The arguments of a program or a command, as its syntax says.
struct Options {
    QString command = {}; ///< Name of the command, of rankdeckctl.
    QStringList positional = {};
    QStringList switches = {};             ///< "--json"
    QMap<QString, QString> values = {};    ///< "--tail" -> "20"
    QMap<QString, QStringList> lists = {}; ///< Options that may be given more than once.
    bool asksForHelp = false;              ///< --help or -h: nothing else is read.
    bool asksForVersion = false;           ///< --version or -V: the same.

    bool has(const char *name) const { return switches.contains(QLatin1String(name)); }
    QString value(const char *name) const { return values.value(QLatin1String(name)); }
    bool hasValue(const char *name) const { return values.contains(QLatin1String(name)); }
    QStringList list(const char *name) const { return lists.value(QLatin1String(name)); }
    /// Returns the value as a whole number, or `otherwise` if the option is not given. Fails for other text
    /// and for numbers below `least`.
    Result<int> number(const char *name, int least, int otherwise = 0) const;
};

/// Reads arguments; what follows "--" is never an option. Names of options are those that the syntax shows,
/// without a short form. Fails for an unknown option, an option without its value, one that is given twice
/// but may be given once, and too few or too many other arguments.
Result<Options> parseOptions(const OptionSyntax &syntax, const QStringList &arguments);

/// Returns a whole number from `least` up. Fails for other text; `name` is where the error is.
Result<int> parseNumber(const QString &text, const QString &name, int least);

} // namespace rankdeck

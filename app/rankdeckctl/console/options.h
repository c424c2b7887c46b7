#pragma once

#include "base/result.h"

#include <QMap>

#include <functional>

namespace rankdeck
{

/// A command's arguments. For the small commands; launchers read their own.
struct Options {
    QStringList positional;
    QStringList switches;             ///< "--json"
    QMap<QString, QString> values;    ///< "--tail" -> "20"
    QMap<QString, QStringList> lists; ///< Options that may be given more than once.

    bool has(const char *name) const { return switches.contains(QLatin1String(name)); }
    QString value(const char *name) const { return values.value(QLatin1String(name)); }
    bool hasValue(const char *name) const { return values.contains(QLatin1String(name)); }
    QStringList list(const char *name) const { return lists.value(QLatin1String(name)); }
    /// Returns the value as a whole number, or `otherwise` if the option is not given. Fails for other text
    /// and for numbers below `least`.
    Result<int> number(const char *name, int least, int otherwise = 0) const;
};

/// The options that a command has, each list as one text with blanks between the names: "--json --csv".
struct OptionNames {
    QByteArray switches = {};
    QByteArray withValue = {};  ///< Each once.
    QByteArray repeatable = {}; ///< With a value, any number of times.
    qsizetype leastPositional = 0;
    qsizetype mostPositional = 0;

    static constexpr qsizetype any = -1; ///< As mostPositional: no limit.
};

/// Reads a command's arguments; what follows "--" is never an option. Fails for an unknown option, an option
/// without its value, one that is given twice but may be given once, and too few or too many other arguments.
Result<Options> parseOptions(const QStringList &arguments, const OptionNames &names);

/// Returns a function that reads a command's arguments and calls `command` with them; it reports wrong ones
/// and returns the exit code.
std::function<int(const QStringList &)> withOptions(int (*command)(const Options &),
                                                    const OptionNames &names);

/// Whether --help or -h is among the arguments.
bool asksForHelp(const QStringList &arguments);

/// Returns a whole number from `least` up. Fails for other text; `name` is where the error is.
Result<int> parseNumber(const QString &text, const QString &name, int least);

} // namespace rankdeck

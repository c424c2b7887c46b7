#pragma once

#include "base/result.h"

#include <QMap>

namespace rankdeck
{

struct Command;

/// A command's arguments, as its entry in the table of commands says.
struct Options {
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

/// Reads a command's arguments; what follows "--" is never an option. Names of options are those that the
/// table shows, without a short form. Fails for an unknown option, an option without its value, one that is
/// given twice but may be given once, and too few or too many other arguments.
Result<Options> parseOptions(const Command &command, const QStringList &arguments);

/// Returns a whole number from `least` up. Fails for other text; `name` is where the error is.
Result<int> parseNumber(const QString &text, const QString &name, int least);

} // namespace rankdeck

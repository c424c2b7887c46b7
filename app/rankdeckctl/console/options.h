#pragma once

#include "result.h"

#include <QMap>
#include <QStringList>

namespace rankdeck
{

/// A command's arguments told apart. For the small commands; launchers read their own.
struct Options {
    QStringList positional;
    QStringList switches;             ///< "--json"
    QMap<QString, QString> values;    ///< "--tail" -> "20"
    QMap<QString, QStringList> lists; ///< Options that may be given more than once.

    bool has(const char *name) const { return switches.contains(QLatin1String(name)); }
    QString value(const char *name) const { return values.value(QLatin1String(name)); }
    bool hasValue(const char *name) const { return values.contains(QLatin1String(name)); }
    QStringList list(const char *name) const { return lists.value(QLatin1String(name)); }
};

/// What a command takes.
struct OptionNames {
    QStringList switches = {};
    QStringList withValue = {};  ///< Each once.
    QStringList repeatable = {}; ///< With a value, any number of times.
    qsizetype leastPositional = 0;
    qsizetype mostPositional = 0;

    static constexpr qsizetype any = -1; ///< As mostPositional: no limit.
};

/// What follows "--" is no option. Error: an option that is in no list, one without its value, one twice that
/// may be given once, too few or too many other arguments.
Result<Options> parseOptions(const QStringList &arguments, const OptionNames &names);

/// The same for a command without repeatable options that takes exactly `positionals` other arguments.
Result<Options> parseOptions(const QStringList &arguments, const QStringList &switches,
                             const QStringList &withValue, int positionals);

/// A whole number from `least` up. Error: anything else; `name` says where.
Result<int> parseNumber(const QString &text, const QString &name, int least);

} // namespace rankdeck

#pragma once

#include "result.h"

#include <QMap>
#include <QStringList>

namespace rankdeck
{

/// A command's arguments told apart. For the small commands; launchers read their own.
struct Options {
    QStringList positional;
    QStringList switches;          ///< "--json"
    QMap<QString, QString> values; ///< "--tail" -> "20"

    bool has(const char *name) const { return switches.contains(QLatin1String(name)); }
    QString value(const char *name) const { return values.value(QLatin1String(name)); }
    bool hasValue(const char *name) const { return values.contains(QLatin1String(name)); }
};

/// Error: an option that is in neither list, one without its value, or other than `positionals` other
/// arguments.
Result<Options> parseOptions(const QStringList &arguments, const QStringList &switches,
                             const QStringList &withValue, int positionals);

/// A whole number from `least` up. Error: anything else; `name` says where.
Result<int> parseNumber(const QString &text, const QString &name, int least);

} // namespace rankdeck

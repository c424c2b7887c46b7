#include "options.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("Options", text);
}

} // namespace

Result<Options> parseOptions(const QStringList &arguments, const OptionNames &names)
{
    const QString help = tr("See rankdeckctl --help.");
    Options options;
    for (qsizetype next = 0; next < arguments.size(); ++next) {
        const QString &argument = arguments[next];
        if (argument == QLatin1String("--")) {
            options.positional << arguments.mid(next + 1);
            break;
        }
        const QString name = argument.section(QLatin1Char('='), 0, 0);
        if (!argument.startsWith(QLatin1Char('-')) || argument == QLatin1String("-")) {
            options.positional << argument;
            continue;
        }
        if (names.switches.contains(argument)) {
            options.switches << argument;
            continue;
        }
        const bool isRepeatable = names.repeatable.contains(name);
        if (!isRepeatable && !names.withValue.contains(name))
            return Error{tr("there is no such option"), name, help};
        if (!isRepeatable && options.values.contains(name))
            return Error{tr("this option is given twice"), name, tr("Give it once.")};
        const bool hasOwnValue = argument.contains(QLatin1Char('='));
        if (!hasOwnValue && ++next == arguments.size())
            return Error{tr("a value is missing"), name, {}};
        const QString value = hasOwnValue ? argument.section(QLatin1Char('='), 1) : arguments[next];
        if (isRepeatable)
            options.lists[name] << value;
        else
            options.values.insert(name, value);
    }
    if (names.mostPositional != OptionNames::any && options.positional.size() > names.mostPositional)
        return Error{tr("one argument too many"), options.positional[names.mostPositional], help};
    if (options.positional.size() < names.leastPositional)
        return Error{tr("an argument is missing"), {}, help};
    return options;
}

Result<Options> parseOptions(const QStringList &arguments, const QStringList &switches,
                             const QStringList &withValue, int positionals)
{
    return parseOptions(arguments, {switches, withValue, {}, positionals, positionals});
}

Result<int> parseNumber(const QString &text, const QString &name, int least)
{
    bool isNumber = false;
    const int number = text.toInt(&isNumber);
    if (!isNumber || number < least)
        return Error{tr("\"%1\" is not a whole number from %2 up").arg(text).arg(least), name, {}};
    return number;
}

} // namespace rankdeck

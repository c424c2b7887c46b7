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

Result<Options> parseOptions(const QStringList &arguments, const QStringList &switches,
                             const QStringList &withValue, int positionals)
{
    Options options;
    for (qsizetype next = 0; next < arguments.size(); ++next) {
        const QString &argument = arguments[next];
        const QString name = argument.section(QLatin1Char('='), 0, 0);
        if (!argument.startsWith(QLatin1Char('-')) || argument == QLatin1String("-")) {
            options.positional << argument;
        } else if (switches.contains(argument)) {
            options.switches << argument;
        } else if (withValue.contains(name)) {
            if (argument.contains(QLatin1Char('=')))
                options.values.insert(name, argument.section(QLatin1Char('='), 1));
            else if (++next < arguments.size())
                options.values.insert(name, arguments[next]);
            else
                return Error{tr("a value is missing"), name, {}};
        } else {
            return Error{tr("there is no such option"), name, tr("See rankdeckctl --help.")};
        }
    }
    if (options.positional.size() > positionals)
        return Error{tr("one argument too many"), options.positional[positionals],
                     tr("See rankdeckctl --help.")};
    if (options.positional.size() < positionals)
        return Error{tr("an argument is missing"), {}, tr("See rankdeckctl --help.")};
    return options;
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

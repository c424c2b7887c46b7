#include "rankdeckctl/console/options.h"

#include "rankdeckctl/console/output.h"

namespace rankdeck
{

static bool contains(const QByteArray &names, const QString &name)
{
    return names.split(' ').contains(name.toUtf8());
}

Result<Options> parseOptions(const QStringList &arguments, const OptionNames &names)
{
    const QString help = tr("See rankdeckctl --help.");
    Options options;
    for (qsizetype next = 0; next < arguments.size(); ++next) {
        const QString &argument = arguments[next];
        if (argument == "--"_L1) {
            options.positional << arguments.mid(next + 1);
            break;
        }
        const QString name = argument.section('='_L1, 0, 0);
        if (!argument.startsWith('-'_L1) || argument == "-"_L1) {
            options.positional << argument;
            continue;
        }
        if (contains(names.switches, argument)) {
            options.switches << argument;
            continue;
        }
        const bool isRepeatable = contains(names.repeatable, name);
        if (!isRepeatable && !contains(names.withValue, name))
            return Error{tr("there is no such option"), name, help};
        if (!isRepeatable && options.values.contains(name))
            return Error{tr("this option is given twice"), name, tr("Give it once.")};
        const bool hasOwnValue = argument.contains('='_L1);
        if (!hasOwnValue && ++next == arguments.size())
            return Error{tr("a value is missing"), name, {}};
        const QString value = hasOwnValue ? argument.section('='_L1, 1) : arguments[next];
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

std::function<int(const QStringList &)> withOptions(int (*command)(const Options &), const OptionNames &names)
{
    return [command, names](const QStringList &arguments) {
        const auto options = parseOptions(arguments, names);
        return options ? command(*options) : refuse(options.error());
    };
}

bool asksForHelp(const QStringList &arguments)
{
    return arguments.contains(u"--help"_s) || arguments.contains(u"-h"_s);
}

Result<int> Options::number(const char *name, int least, int otherwise) const
{
    return hasValue(name) ? parseNumber(value(name), QLatin1String(name), least) : otherwise;
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

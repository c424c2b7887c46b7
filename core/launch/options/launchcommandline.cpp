#include "launch/options/launchcommandline.h"

#include "base/listcomma.h"
#include "base/nearestword.h"
#include "launch/options/valuetexts.h"
#include "launch/planning/wrappers.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

static bool isOption(const QString &argument)
{
    return argument.startsWith('-'_L1) && argument != "-"_L1;
}

/// A number may begin with '-', another value of an option may not.
static bool canBeValue(const QString &argument)
{
    static const QRegularExpression negativeNumber(u"^-\\d+$"_s);
    return !isOption(argument) || argument.contains(' '_L1) || negativeNumber.match(argument).hasMatch();
}

static const LaunchOption *named(const LaunchOptions &options, const QString &name)
{
    const auto found = std::ranges::find_if(
        options, [&](const LaunchOption &option) { return comparedName(option.name) == name; });
    return found == options.end() ? nullptr : &*found;
}

/// The value of the option before `next`, where it is not joined to it.
static Result<QString> takeValue(const LaunchOption &option, const QStringList &arguments, qsizetype &next)
{
    if (option.valueName.isEmpty())
        return QString();
    if (next == arguments.size() || !canBeValue(arguments[next]))
        return Error{tr("missing value"), option.name,
                     tr("Write %1.").arg((option.name + ' '_L1 + option.valueName).trimmed())};
    return arguments[next++];
}

/// Returns the help, with the default where it names one.
static QString helpOf(const OptionRow &row, const LaunchSpec &defaults)
{
    const QString help = tr(row.help);
    if (!help.contains("%1"_L1))
        return help;
    if (row.name() != "--wrap"_L1)
        return help.arg(optionTexts(row, defaults).value(0));
    const QStringList presets = listOf(wrapperPresets(), &WrapperPreset::name);
    return help.arg(presets.join(nameComma()));
}

LaunchOptions launchOptions(OptionRows rows, const LaunchSpec &defaults)
{
    LaunchOptions options;
    for (const OptionRow &row : rows) {
        if (!row.isOption())
            continue;
        options.push_back(
            {row.name(), row.valueName(), helpOf(row, defaults),
             [&row](LaunchSpec &spec, const QString &text) { return readOption(row, spec, text); },
             [&row](const LaunchSpec &spec) { return optionTexts(row, spec); }, row.topic});
    }
    return options;
}

Result<int> readWholeNumber(const QString &text, const QString &option)
{
    bool isNumber = false;
    const int number = text.trimmed().toInt(&isNumber);
    if (isNumber)
        return number;
    return Error{tr("\"%1\" is not a whole number").arg(text), option, {}};
}

QString comparedName(QString name)
{
    return name.replace('_'_L1, '-'_L1);
}

Result<LaunchOption> LaunchCommandLine::findOption(const QString &name, const QStringList &switches) const
{
    const QString wanted = comparedName(name);
    const QString known = comparedName(synonym.value(wanted, wanted));
    QStringList all = switches + synonym.keys();
    for (const LaunchOptions *options : {&own, &common}) {
        if (const LaunchOption *option = named(*options, known))
            return *option;
        for (const LaunchOption &option : *options)
            all << option.name;
    }
    LaunchOptions begun;
    std::ranges::copy_if(own, std::back_inserter(begun), [&](const LaunchOption &option) {
        return comparedName(option.name).startsWith(known) && known.size() >= 3;
    });
    if (begun.size() == 1)
        return begun.front();
    if (!begun.empty())
        return Error{tr("this may be any of %1").arg(listOf(begun, &LaunchOption::name).join(nameComma())),
                     name, tr("Write the full name of the option.")};
    const QString help = tr("Run \"rankdeckctl %1 --help\". %2 comes after the options.")
                             .arg(helpName.isEmpty() ? defaults.launcher : helpName, commandName);
    return Error{tr("unknown option"), name, u"%1 %2"_s.arg(didYouMean(name, all), help).trimmed()};
}

Result<LaunchSpec> LaunchCommandLine::parse(const QStringList &arguments, const QStringList &switches,
                                            QStringList *found) const
{
    LaunchSpec spec = defaults;
    qsizetype next = 0;
    while (next < arguments.size() && isOption(arguments[next])) {
        QString name = arguments[next++];
        if (name == "--"_L1)
            break;
        if (switches.contains(name)) {
            if (found)
                *found << name;
            continue;
        }
        std::optional<QString> given;
        if (const auto equals = name.indexOf('='_L1); equals > 0) {
            given = name.mid(equals + 1);
            name.truncate(equals);
        }
        const auto option = findOption(name, switches);
        if (!option)
            return option.error();
        if (given && option->valueName.isEmpty())
            return Error{tr("this option takes no value"), option->name, {}};
        const Result<QString> value = given ? Result<QString>(*given) : takeValue(*option, arguments, next);
        if (!value)
            return value.error();
        if (const auto error = option->read(spec, *value))
            return *error;
    }
    spec.command = arguments.mid(next);
    if (problem) {
        if (const auto error = problem(spec))
            return *error;
    }
    return spec;
}

QStringList LaunchCommandLine::arguments(const LaunchSpec &spec) const
{
    QStringList arguments;
    for (const LaunchOptions *options : {&own, &common}) {
        for (const LaunchOption &option : *options) {
            const QStringList values = option.write(spec);
            if (values == option.write(defaults))
                continue;
            for (const QString &value : values)
                arguments << (option.valueName.isEmpty() ? option.name : option.name + '='_L1 + value);
        }
    }
    if (!spec.command.isEmpty() && isOption(spec.command.first()))
        arguments << u"--"_s;
    return arguments + spec.command;
}

} // namespace rankdeck

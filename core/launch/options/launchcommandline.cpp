#include "launch/options/launchcommandline.h"

#include "base/listcomma.h"
#include "base/nearestword.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

/// Name and value's name of "--name VALUE".
static LaunchOption named(const char *usage, const QString &help)
{
    const QString text = QLatin1String(usage);
    LaunchOption option;
    option.name = text.section(QLatin1Char(' '), 0, 0);
    option.valueName = text.section(QLatin1Char(' '), 1);
    option.help = help;
    return option;
}

static QString usage(const LaunchOption &option)
{
    return option.valueName.isEmpty() ? option.name : option.name + QLatin1Char(' ') + option.valueName;
}

static bool isOption(const QString &argument)
{
    return argument.startsWith(QLatin1Char('-')) && argument != QLatin1String("-");
}

/// A number may begin with '-', another value of an option may not.
static bool canBeValue(const QString &argument)
{
    static const QRegularExpression negativeNumber(QStringLiteral("^-\\d+$"));
    return !isOption(argument) || argument.contains(QLatin1Char(' ')) ||
           negativeNumber.match(argument).hasMatch();
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
        return Error{tr("missing value"), option.name, tr("Write %1.").arg(usage(option))};
    return arguments[next++];
}

LaunchOption numberOption(const char *usage, const SpecField<int> &field, const QString &help)
{
    LaunchOption option = named(usage, help);
    option.read = [field, name = option.name](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
        const auto number = readWholeNumber(text, name);
        if (!number)
            return number.error();
        field(spec) = *number;
        return std::nullopt;
    };
    option.write = [field](const LaunchSpec &spec) {
        return QStringList{QString::number(field.valueIn(spec))};
    };
    return option;
}

LaunchOption textOption(const char *usage, const SpecField<QString> &field, const QString &help)
{
    LaunchOption option = named(usage, help);
    option.read = [field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
        field(spec) = text;
        return std::nullopt;
    };
    option.write = [field](const LaunchSpec &spec) {
        return QStringList{field.valueIn(spec)};
    };
    return option;
}

LaunchOption listOption(const char *usage, const SpecField<QStringList> &field, const QString &help)
{
    LaunchOption option = named(usage, help);
    option.read = [field](LaunchSpec &spec, const QString &text) -> std::optional<Error> {
        field(spec) << text;
        return std::nullopt;
    };
    option.write = [field](const LaunchSpec &spec) {
        return field.valueIn(spec);
    };
    return option;
}

LaunchOption switchOption(const char *name, const SpecField<bool> &field, bool given, const QString &help)
{
    LaunchOption option = named(name, help);
    option.read = [field, given](LaunchSpec &spec, const QString &) -> std::optional<Error> {
        field(spec) = given;
        return std::nullopt;
    };
    option.write = [field, given](const LaunchSpec &spec) {
        return field.valueIn(spec) == given ? QStringList{QString()} : QStringList();
    };
    return option;
}

Result<int> readWholeNumber(const QString &text, const QString &option)
{
    bool isNumber = false;
    const int number = text.trimmed().toInt(&isNumber);
    if (isNumber)
        return number;
    return Error{tr("\"%1\" is not a whole number").arg(text), option, {}};
}

std::optional<Error> readVariable(QMap<QString, QString> &variables, const QString &text,
                                  const QString &option)
{
    const auto equals = text.indexOf(QLatin1Char('='));
    if (equals < 1)
        return Error{tr("\"%1\" is not NAME=VALUE").arg(text), option, {}};
    variables.insert(text.left(equals), text.mid(equals + 1));
    return std::nullopt;
}

QStringList writtenVariables(const QMap<QString, QString> &variables)
{
    QStringList texts;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        texts << it.key() + QLatin1Char('=') + it.value();
    return texts;
}

QString comparedName(QString name)
{
    return name.replace(QLatin1Char('_'), QLatin1Char('-'));
}

void addOptions(LaunchOptions &options, LaunchOption::Group group, const LaunchOptions &more)
{
    for (LaunchOption option : more) {
        option.group = group;
        options.push_back(std::move(option));
    }
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
    QStringList names;
    for (const LaunchOption &option : own) {
        if (!comparedName(option.name).startsWith(known) || known.size() < 3)
            continue;
        begun.push_back(option);
        names << option.name;
    }
    if (begun.size() == 1)
        return begun.front();
    if (!names.isEmpty())
        return Error{tr("this may be any of %1").arg(names.join(nameComma())), name,
                     tr("Write the full name of the option.")};
    const QString help = tr("Run \"rankdeckctl %1 --help\". %2 comes after the options.")
                             .arg(helpName.isEmpty() ? defaults.launcher : helpName, commandName);
    return Error{tr("unknown option"), name,
                 QStringLiteral("%1 %2").arg(didYouMean(name, all), help).trimmed()};
}

Result<LaunchSpec> LaunchCommandLine::parse(const QStringList &arguments, const QStringList &switches,
                                            QStringList *found) const
{
    LaunchSpec spec = defaults;
    qsizetype next = 0;
    while (next < arguments.size() && isOption(arguments[next])) {
        QString name = arguments[next++];
        if (name == QLatin1String("--"))
            break;
        if (switches.contains(name)) {
            if (found)
                *found << name;
            continue;
        }
        std::optional<QString> given;
        if (const auto equals = name.indexOf(QLatin1Char('=')); equals > 0) {
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
                arguments << (option.valueName.isEmpty() ? option.name
                                                         : option.name + QLatin1Char('=') + value);
        }
    }
    if (!spec.command.isEmpty() && isOption(spec.command.first()))
        arguments << QStringLiteral("--");
    return arguments + spec.command;
}

} // namespace rankdeck

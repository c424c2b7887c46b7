#include "launch/msrunarguments.h"

#include "launch/launchbasics.h"
#include "launch/msruncheck.h"
#include "launch/msrunoptiontable.h"

#include <QCoreApplication>
#include <QRegularExpression>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("msrunArguments", text);
}

/// The option called `name`, or the only one whose name begins so, as argparse has it.
Result<MsrunOption> findOption(const QString &name)
{
    std::vector<MsrunOption> begun;
    QStringList names;
    for (const MsrunOption &option : msrunOptionTable()) {
        if (option.name == name)
            return option;
        if (option.name.startsWith(name)) {
            begun.push_back(option);
            names << option.name;
        }
    }
    if (begun.size() == 1)
        return begun.front();
    if (begun.empty())
        return Error{tr("there is no such option"), name,
                     tr("See rankdeckctl msrun --help; the script comes after the options.")};
    return Error{tr("this may be any of %1").arg(names.join(QLatin1String(", "))), name,
                 tr("Write the option's whole name.")};
}

/// A number may begin with '-', an option's value may not.
bool canBeValue(const QString &argument)
{
    static const QRegularExpression negativeNumber(QStringLiteral("^-\\d+$"));
    return !argument.startsWith(QLatin1Char('-')) || argument == QLatin1String("-") ||
           argument.contains(QLatin1Char(' ')) || negativeNumber.match(argument).hasMatch();
}

/// The value of the option at `next` - 1.
Result<QString> takeValue(const MsrunOption &option, const QStringList &arguments, qsizetype &next)
{
    if (next == arguments.size() || !canBeValue(arguments[next]))
        return Error{tr("a value is missing"), option.name,
                     tr("Write %1 %2.").arg(option.name, option.valueName)};
    return arguments[next++];
}

} // namespace

LaunchSpec msrunDefaults()
{
    LaunchSpec spec;
    spec.launcher = QStringLiteral("msrun");
    spec.logDir.clear();
    spec.randomCacheDir = false;
    return spec;
}

LaunchSpec withAbsolutePaths(LaunchSpec spec, const HostFacts &facts)
{
    for (QString *path : {&spec.workDir, &spec.logDir})
        *path = absoluteLaunchPath(path->isEmpty() ? QStringLiteral(".") : *path, facts);
    if (!spec.rankTableFile.isEmpty())
        spec.rankTableFile = absoluteLaunchPath(spec.rankTableFile, facts);
    return spec;
}

Result<LaunchSpec> parseMsrunArguments(const QStringList &arguments, const QStringList &frontEndSwitches,
                                       QStringList *found)
{
    LaunchSpec spec = msrunDefaults();
    qsizetype next = 0;
    while (next < arguments.size() && arguments[next].startsWith(QLatin1Char('-')) &&
           arguments[next] != QLatin1String("-")) {
        QString name = arguments[next++];
        if (name == QLatin1String("--"))
            break;
        if (frontEndSwitches.contains(name)) {
            if (found)
                *found << name;
            continue;
        }
        std::optional<QString> given;
        if (const auto equals = name.indexOf(QLatin1Char('=')); equals > 0) {
            given = name.mid(equals + 1);
            name.truncate(equals);
        }
        const auto option = findOption(name);
        if (!option)
            return option.error();
        const Result<QString> value = given ? Result<QString>(*given) : takeValue(*option, arguments, next);
        if (!value)
            return value.error();
        if (const auto error = option->read(spec, *value))
            return *error;
    }
    spec.command = arguments.mid(next);
    if (const auto error = problemWithMsrunOptions(spec))
        return *error;
    return spec;
}

QString msrunOptionsHelp()
{
    QString help;
    for (const MsrunOption &option : msrunOptionTable())
        help += QStringLiteral("  %1 %2\n")
                    .arg(option.name + QLatin1Char(' ') + option.valueName, -30)
                    .arg(option.help);
    return help;
}

QStringList msrunArguments(const LaunchSpec &spec)
{
    const LaunchSpec defaults = msrunDefaults();
    QStringList arguments;
    for (const MsrunOption &option : msrunOptionTable()) {
        const QStringList values = option.write(spec);
        if (values == option.write(defaults))
            continue;
        for (const QString &value : values)
            arguments << option.name + QLatin1Char('=') + value;
    }
    if (!spec.command.isEmpty() && spec.command.first().startsWith(QLatin1Char('-')))
        arguments << QStringLiteral("--");
    return arguments + spec.command;
}

} // namespace rankdeck

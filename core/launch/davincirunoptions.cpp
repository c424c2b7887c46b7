#include "launch/davincirunoptions.h"

#include "launch/launchoption.h"

#include <QCoreApplication>
#include <QSet>

#include <array>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("davincirunOptions", text);
}

constexpr std::array options{
    LaunchOption{
        "--rank-table", "PATH",
        QT_TRANSLATE_NOOP("davincirunOptions", "rank table, or the directory that holds jobstart_hccl.json")},
    LaunchOption{"--converted-rank-table", "PATH",
                 QT_TRANSLATE_NOOP("davincirunOptions", "where a v0.1 table is written as v1.0")},
    LaunchOption{
        "--wait", "SECONDS",
        QT_TRANSLATE_NOOP("davincirunOptions", "how long an unfinished rank table is waited for (1800)")},
    LaunchOption{"--work-dir", "DIR",
                 QT_TRANSLATE_NOOP("davincirunOptions", "working directory of every rank (./)")},
    LaunchOption{"--log-dir", "DIR",
                 QT_TRANSLATE_NOOP("davincirunOptions", "where logs go (./log); \"\" for the run directory")},
    LaunchOption{"--grace", "SECONDS",
                 QT_TRANSLATE_NOOP("davincirunOptions", "between SIGTERM and SIGKILL (15)")},
    LaunchOption{"--env", "NAME=VALUE",
                 QT_TRANSLATE_NOOP("davincirunOptions", "a variable for every rank; may be repeated")},
    LaunchOption{"--name", "NAME",
                 QT_TRANSLATE_NOOP("davincirunOptions", "for the run's name; the script's by default")},
    LaunchOption{"--no-random-cache-dir", nullptr,
                 QT_TRANSLATE_NOOP("davincirunOptions", "keep MS_COMPILER_CACHE_PATH as it is")},
    LaunchOption{"--no-destroy", nullptr,
                 QT_TRANSLATE_NOOP("davincirunOptions", "let the other ranks go on when one fails")},
    LaunchOption{"--no-raise", nullptr,
                 QT_TRANSLATE_NOOP("davincirunOptions", "do not open the error dialog by itself")},
};

std::optional<Error> setNumber(int &target, const QString &name, const QString &value)
{
    bool isNumber = false;
    target = value.toInt(&isNumber);
    if (isNumber)
        return std::nullopt;
    return Error{tr("\"%1\" is not a whole number of seconds").arg(value), name, {}};
}

std::optional<Error> setOption(LaunchSpec &spec, const QString &name, const QString &value)
{
    if (name == QLatin1String("--rank-table"))
        spec.rankTableFile = value;
    else if (name == QLatin1String("--converted-rank-table"))
        spec.convertedRankTable = value;
    else if (name == QLatin1String("--wait"))
        return setNumber(spec.rankTableWaitSeconds, name, value);
    else if (name == QLatin1String("--work-dir"))
        spec.workDir = value;
    else if (name == QLatin1String("--log-dir"))
        spec.logDir = value;
    else if (name == QLatin1String("--grace"))
        return setNumber(spec.graceSeconds, name, value);
    else if (name == QLatin1String("--name"))
        spec.name = value;
    else if (name == QLatin1String("--no-random-cache-dir"))
        spec.randomCacheDir = false;
    else if (name == QLatin1String("--no-destroy"))
        spec.destroyWhenFinished = false;
    else if (name == QLatin1String("--no-raise"))
        spec.raiseOnFailure = false;
    else if (name == QLatin1String("--env")) {
        const auto equals = value.indexOf(QLatin1Char('='));
        if (equals < 1)
            return Error{tr("\"%1\" is not NAME=VALUE").arg(value), name, {}};
        spec.environment.insert(value.left(equals), value.mid(equals + 1));
    }
    return std::nullopt;
}

} // namespace

Result<LaunchSpec> parseDavincirunArguments(const QStringList &arguments, const QStringList &frontEndSwitches,
                                            QStringList *found)
{
    LaunchSpec spec;
    qsizetype next = 0;
    while (next < arguments.size() && arguments[next].startsWith(QLatin1String("--"))) {
        QString name = arguments[next++];
        if (name == QLatin1String("--"))
            break;
        if (frontEndSwitches.contains(name)) {
            if (found)
                *found << name;
            continue;
        }
        std::optional<QString> value;
        if (const auto equals = name.indexOf(QLatin1Char('=')); equals > 0) {
            value = name.mid(equals + 1);
            name.truncate(equals);
        }
        const LaunchOption *option = findLaunchOption(options, name);
        if (!option)
            return Error{
                tr("there is no such option"), name,
                tr("See rankdeckctl davincirun --help; the command to run comes after the options.")};
        if (option->value && !value) {
            if (next == arguments.size())
                return Error{tr("a value is missing"), name,
                             tr("Write %1 %2.").arg(name, QLatin1String(option->value))};
            value = arguments[next++];
        }
        if (!option->value && value)
            return Error{tr("this option takes no value"), name, {}};
        if (const auto error = setOption(spec, name, value.value_or(QString())))
            return *error;
    }
    spec.command = arguments.mid(next);
    return spec;
}

QString davincirunOptionsHelp()
{
    return launchOptionsHelp(options, "davincirunOptions");
}

QStringList davincirunArguments(const LaunchSpec &spec)
{
    const LaunchSpec defaults;
    QStringList arguments;
    const auto add = [&](const char *name, const QString &value, const QString &otherwise) {
        if (value != otherwise)
            arguments << QLatin1String(name) << value;
    };
    add("--rank-table", spec.rankTableFile, defaults.rankTableFile);
    add("--converted-rank-table", spec.convertedRankTable, defaults.convertedRankTable);
    add("--wait", QString::number(spec.rankTableWaitSeconds), QString::number(defaults.rankTableWaitSeconds));
    add("--work-dir", spec.workDir, defaults.workDir);
    add("--log-dir", spec.logDir, defaults.logDir);
    add("--grace", QString::number(spec.graceSeconds), QString::number(defaults.graceSeconds));
    add("--name", spec.name, defaults.name);
    for (auto it = spec.environment.begin(); it != spec.environment.end(); ++it)
        arguments << QStringLiteral("--env") << it.key() + QLatin1Char('=') + it.value();
    if (!spec.randomCacheDir)
        arguments << QStringLiteral("--no-random-cache-dir");
    if (!spec.destroyWhenFinished)
        arguments << QStringLiteral("--no-destroy");
    if (!spec.raiseOnFailure)
        arguments << QStringLiteral("--no-raise");
    if (!spec.command.isEmpty() && spec.command.first().startsWith(QLatin1String("--")))
        arguments << QStringLiteral("--");
    return arguments + spec.command;
}

} // namespace rankdeck

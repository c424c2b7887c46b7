#include "processescommand.h"

#include "commands.h"
#include "launch/processes.h"
#include "launch/processesarguments.h"
#include "launch/processesspec.h"
#include "launchrun.h"
#include "output.h"

#include <QCoreApplication>
#include <QFile>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("processescommand", text);
}

constexpr qint64 mostSpecBytes = 16 * 1024 * 1024;

Result<LaunchSpec> readSpec(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{tr("the launch cannot be read: %1").arg(file.errorString()), path, {}};
    const QByteArray text = file.read(mostSpecBytes + 1);
    if (text.size() > mostSpecBytes)
        return Error{
            tr("this is too long for a launch: more than %1 MiB").arg(mostSpecBytes >> 20), path, {}};
    auto spec = processesSpecFromJson(text);
    if (spec)
        return spec;
    Error error = spec.error();
    error.where = error.where.isEmpty() ? path : QStringLiteral("%1: %2").arg(path, error.where);
    return error;
}

/// "SPEC.json" alone is a launch in a file; anything else is a command line.
Result<LaunchSpec> readLaunch(const QStringList &arguments, const QStringList &switches, QStringList *found)
{
    QStringList rest;
    for (const QString &argument : arguments) {
        if (!switches.contains(argument))
            rest << argument;
    }
    if (rest.size() != 1 || !rest.first().endsWith(QLatin1String(".json")))
        return parseProcessesArguments(arguments, switches, found);
    for (const QString &argument : arguments) {
        if (switches.contains(argument))
            *found << argument;
    }
    return readSpec(rest.first());
}

void printHelp()
{
    print(
        tr("Usage: rankdeckctl processes [options] -- COMMAND…\n"
           "       rankdeckctl processes SPEC.json\n\n"
           "Starts COMMAND once for each local rank with the environment that torchrun gives it, and waits.\n"
           "${local_rank} in an argument is the local rank. SPEC.json may name arguments and variables by "
           "local rank.\n"
           "Exits with the code of the rank whose failure came first.\n") +
        QLatin1Char('\n') + processesOptionsHelp() + LaunchSwitches::help());
}

} // namespace

int processesCommand(const QStringList &arguments)
{
    const QString help = QStringLiteral("--help");
    QStringList found;
    const auto spec = readLaunch(arguments, LaunchSwitches::names() << help, &found);
    if (found.contains(help)) {
        printHelp();
        return 0;
    }
    if (!spec)
        return refuse(spec.error());
    const auto plan = planProcesses(*spec, HostFacts::gather());
    if (!plan)
        return refuse(plan.error());
    return launchRun(*spec, *plan, LaunchSwitches::from(found));
}

int planProcessesCommand(const QStringList &arguments)
{
    const QString asJson = QStringLiteral("--json");
    QStringList found;
    const auto spec = readLaunch(arguments, {asJson}, &found);
    if (!spec)
        return refuse(spec.error());
    const auto plan = planProcesses(*spec, HostFacts::gather());
    if (!plan)
        return refuse(plan.error());
    printPlan(*plan, found.contains(asJson));
    return 0;
}

} // namespace rankdeck

#include "agent/launcher.h"
#include "commands.h"
#include "launch/davincirunoptions.h"
#include "launch/planlaunch.h"
#include "launchrun.h"
#include "msruncommand.h"
#include "output.h"
#include "processescommand.h"
#include "ranktable/ranktablelocation.h"
#include "tablewait.h"
#include "tablewarning.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchcommands", text);
}

QString pathOfTable(const LaunchSpec &spec, const HostFacts &facts)
{
    return QFileInfo(rankTablePath(spec.rankTableFile, facts.environment)).absoluteFilePath();
}

Result<LaunchPlan> makePlan(const LaunchSpec &spec, int waitSeconds)
{
    const HostFacts facts = HostFacts::gather();
    const QString path = pathOfTable(spec, facts);
    const auto waited =
        waitForTable(path, std::chrono::seconds(waitSeconds), [&](const QString &status, int seconds) {
            if (seconds % 60 == 0)
                sayWaiting(path, status, seconds);
        });
    if (!waited.table)
        return waited.table.error();
    return planLaunch(spec, *waited.table, path, facts);
}

void printHelp()
{
    print(tr("Usage: rankdeckctl davincirun [options] COMMAND…\n\n"
             "Waits for the rank table, converts it, starts COMMAND once for each device of this node, and "
             "waits.\n"
             "Exits with the first failed rank's code.\n") +
          QLatin1Char('\n') + davincirunOptionsHelp() + LaunchSwitches::help());
}

} // namespace

int davincirunCommand(const QStringList &arguments)
{
    const QString help = QStringLiteral("--help");
    QStringList switches;
    const auto spec = parseDavincirunArguments(arguments, LaunchSwitches::names() << help, &switches);
    if (switches.contains(help)) {
        printHelp();
        return 0;
    }
    if (!spec)
        return refuse(spec.error());
    if (const auto error = problemWithoutTable(*spec, HostFacts::gather()))
        return refuse(*error);
    const auto plan = makePlan(*spec, spec->rankTableWaitSeconds);
    if (!plan)
        return refuse(plan.error());
    warnAboutTable(pathOfTable(*spec, HostFacts::gather()));
    return launchRun(*spec, *plan, LaunchSwitches::from(switches));
}

int planCommand(const QStringList &arguments)
{
    const QString launcher = arguments.value(0);
    if (launcher == QLatin1String("msrun"))
        return planMsrunCommand(arguments.mid(1));
    if (launcher == QLatin1String("processes"))
        return planProcessesCommand(arguments.mid(1));
    if (launcher != QLatin1String("davincirun"))
        return refuse({tr("there is no launcher \"%1\"").arg(launcher),
                       {},
                       tr("The launchers are davincirun, msrun and processes.")});
    const QString asJson = QStringLiteral("--json");
    QStringList switches;
    const auto spec = parseDavincirunArguments(arguments.mid(1), {asJson}, &switches);
    if (!spec)
        return refuse(spec.error());
    const auto plan = makePlan(*spec, 0);
    if (!plan)
        return refuse(plan.error());
    printPlan(*plan, switches.contains(asJson));
    return 0;
}

} // namespace rankdeck

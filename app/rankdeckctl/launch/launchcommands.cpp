#include "agent/launcher.h"
#include "commands.h"
#include "launch/launchbasics.h"
#include "launch/launchexport.h"
#include "launch/launchfacts.h"
#include "launch/planlaunch.h"
#include "launchhelp.h"
#include "launchplanning.h"
#include "launchreading.h"
#include "launchrun.h"
#include "output.h"
#include "tablewarning.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("launchcommands", text);
}

int launch(const LaunchSpec &spec, LaunchSwitches switches)
{
    const auto facts = gatherLaunchFacts(spec);
    if (!facts)
        return refuse(facts.error());
    const QString table = tablePathOf(spec, *facts);
    if (needsRankTable(spec)) {
        if (const auto error = problemWithoutTable(spec, *facts))
            return refuse(*error);
    }
    const auto plan = planOfLaunch(spec, *facts, spec.rankTableWaitSeconds);
    if (!plan)
        return refuse(plan.error());
    if (!table.isEmpty())
        warnAboutTable(table);
    switches.detach = switches.detach || (spec.launcher == QLatin1String("msrun") && !spec.msrun.join);
    const int code = launchRun(withAbsolutePaths(spec, *facts), *plan, switches);
    // Who watches the run reads them in its journal.
    if (switches.detach && code == 0) {
        for (const QString &note : plan->notes)
            say(tr("rankdeckctl: note: %1").arg(visibleText(note)));
    }
    return code;
}

int launchCommand(const QString &launcher, const QStringList &arguments)
{
    const QStringList help{QStringLiteral("--help"), QStringLiteral("-h")};
    QStringList found;
    const auto spec = readLaunch(launcher, arguments, LaunchSwitches::names() + help, found);
    if (found.contains(help.first()) || found.contains(help.last())) {
        print(launchHelp(launcher));
        return 0;
    }
    return spec ? launch(*spec, LaunchSwitches::from(found)) : refuse(spec.error());
}

} // namespace

int davincirunCommand(const QStringList &arguments)
{
    return launchCommand(QStringLiteral("davincirun"), arguments);
}

int msrunCommand(const QStringList &arguments)
{
    return launchCommand(QStringLiteral("msrun"), arguments);
}

int processesCommand(const QStringList &arguments)
{
    return launchCommand(QStringLiteral("processes"), arguments);
}

int runCommand(const QStringList &arguments)
{
    return launchCommand(QStringLiteral("run"), arguments);
}

int planCommand(const QStringList &arguments)
{
    const QString asJson = QStringLiteral("--json");
    const QString asScript = QStringLiteral("--script");
    QStringList found;
    const auto spec = readLaunch(arguments.value(0), arguments.mid(1), {asJson, asScript}, found);
    if (!spec)
        return refuse(spec.error());
    const auto facts = gatherLaunchFacts(*spec);
    if (!facts)
        return refuse(facts.error());
    const auto plan = planOfLaunch(*spec, *facts, 0);
    if (!plan)
        return refuse(plan.error());
    if (found.contains(asScript))
        print(exportShellScript(*plan).trimmed());
    else
        printPlan(*plan, found.contains(asJson));
    return 0;
}

} // namespace rankdeck

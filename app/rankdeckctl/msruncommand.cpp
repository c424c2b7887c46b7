#include "msruncommand.h"

#include "commands.h"
#include "launch/masterlookup.h"
#include "launch/msrun.h"
#include "launch/msrunarguments.h"
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
    return QCoreApplication::translate("msruncommand", text);
}

QStringList helpNames()
{
    return {QStringLiteral("--help"), QStringLiteral("-h")};
}

void printHelp()
{
    print(tr("Usage: rankdeckctl msrun [options] SCRIPT…\n\n"
             "Starts the scheduler, where this node is the master, and the workers of this node, as msrun "
             "does.\n"
             "SCRIPT is a .py file, or python, python3 or pytest with its arguments. Without --join=True the "
             "run's\n"
             "name is printed at once and the run is watched in the background; else this waits and exits "
             "with\n"
             "the first failed rank's code.\n") +
          QLatin1Char('\n') + msrunOptionsHelp() + LaunchSwitches::help());
}

Result<LaunchPlan> makePlan(const LaunchSpec &spec)
{
    HostFacts facts = HostFacts::gather();
    if (const auto error = lookUpMaster(spec, facts))
        return *error;
    return planMsrun(spec, facts);
}

} // namespace

int msrunCommand(const QStringList &arguments)
{
    QStringList found;
    const auto spec = parseMsrunArguments(arguments, LaunchSwitches::names() + helpNames(), &found);
    if (found.contains(QLatin1String("--help")) || found.contains(QLatin1String("-h"))) {
        printHelp();
        return 0;
    }
    if (!spec)
        return refuse(spec.error());
    const auto plan = makePlan(*spec);
    if (!plan)
        return refuse(plan.error());
    if (!plan->rankTableFile.isEmpty())
        warnAboutTable(plan->rankTableFile);
    LaunchSwitches switches = LaunchSwitches::from(found);
    switches.detach = switches.detach || !spec->msrun.join;
    const int code = launchRun(withAbsolutePaths(*spec, HostFacts::gather()), *plan, switches);
    // Who watches the run reads them in its journal.
    if (switches.detach && code == 0) {
        for (const QString &note : plan->notes)
            say(tr("rankdeckctl: note: %1").arg(visibleText(note)));
    }
    return code;
}

int planMsrunCommand(const QStringList &arguments)
{
    const QString asJson = QStringLiteral("--json");
    QStringList found;
    const auto spec = parseMsrunArguments(arguments, {asJson}, &found);
    if (!spec)
        return refuse(spec.error());
    const auto plan = makePlan(*spec);
    if (!plan)
        return refuse(plan.error());
    printPlan(*plan, found.contains(asJson));
    return 0;
}

} // namespace rankdeck

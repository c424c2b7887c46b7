#include "agent/supervise/launcher.h"
#include "base/tr.h"
#include "launch/exchange/launchexport.h"
#include "launch/nodes/launchfacts.h"
#include "launch/nodes/planlaunch.h"
#include "launch/planning/launchbasics.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/console/output.h"
#include "rankdeckctl/launch/launchreading.h"
#include "rankdeckctl/launch/launchrun.h"
#include "rankdeckctl/ranktable/tableoutput.h"

namespace rankdeck
{

namespace
{

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
    switches.detach = switches.detach || (spec.launcher == "msrun"_L1 && !spec.msrun.join);
    const int code = launchRun(withAbsolutePaths(spec, *facts), *plan, switches);
    // A watched run reports them in its journal.
    if (switches.detach && code == 0) {
        for (const QString &note : plan->notes)
            say(tr("rankdeckctl: note: %1").arg(visibleText(note)));
    }
    return code;
}

int launchCommand(const QString &launcher, const QStringList &arguments)
{
    const QStringList help{u"--help"_s, u"-h"_s};
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
    return launchCommand(u"davincirun"_s, arguments);
}

int msrunCommand(const QStringList &arguments)
{
    return launchCommand(u"msrun"_s, arguments);
}

int processesCommand(const QStringList &arguments)
{
    return launchCommand(u"processes"_s, arguments);
}

int runCommand(const QStringList &arguments)
{
    return launchCommand(u"run"_s, arguments);
}

int planCommand(const QStringList &arguments)
{
    const QString asJson = u"--json"_s;
    const QString asScript = u"--script"_s;
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

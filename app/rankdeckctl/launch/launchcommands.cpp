#include "agent/supervise/launcher.h"
#include "launch/exchange/launchexport.h"
#include "launch/exchange/launchimport.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchprofile.h"
#include "launch/planning/launchbasics.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/launch/launchreading.h"
#include "rankdeckctl/launch/launchrun.h"
#include "rankdeckctl/ranktable/tableoutput.h"

namespace rankdeck
{

static int launch(const LaunchSpec &spec, LaunchSwitches switches)
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

static int launchCommand(const QString &launcher, const QStringList &arguments)
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

static int refuseAction(const QString &action)
{
    return refuse(
        {action.isEmpty() ? tr("an action is missing") : tr("there is no action \"%1\"").arg(action),
         {},
         tr("See rankdeckctl profile --help.")});
}

static int listProfiles()
{
    for (const QString &name : profileNames())
        print(visibleText(name));
    return 0;
}

static int showProfile(const QString &name)
{
    const auto spec = loadProfile(name);
    if (!spec)
        return refuse(spec.error());
    print(visibleJson(profileText(*spec).trimmed()));
    print(visibleText(exportCommandLine(*spec)));
    return 0;
}

/// NAME [--force] LAUNCHER …
static int save(const QString &name, QStringList arguments)
{
    const bool replace = arguments.value(0) == "--force"_L1;
    if (replace)
        arguments.removeFirst();
    QStringList found;
    const auto spec = readLaunch(arguments.value(0), arguments.mid(1), {}, found);
    if (!spec)
        return refuse(spec.error());
    if (auto error = saveProfile(name, *spec, replace)) {
        if (!replace && !error->mend.isEmpty())
            error->mend = tr("Name it otherwise, or replace it with --force after the name.");
        return refuse(*error);
    }
    say(tr("Saved as %1.").arg(visibleText(profilePath(name))));
    return 0;
}

static void printProfileHelp()
{
    print(tr("Usage: rankdeckctl profile list\n"
             "       rankdeckctl profile show NAME\n"
             "       rankdeckctl profile save NAME [--force] LAUNCHER [options] COMMAND…\n"
             "       rankdeckctl profile remove NAME\n\n"
             "NAME is a profile of yours, in %1, or a file: what has\n"
             "a / or ends in .json. rankdeckctl run NAME launches it.")
              .arg(profileDirectory()));
}

std::function<int(const QStringList &)> launcherCommand(const char *launcher)
{
    return [name = QLatin1String(launcher)](const QStringList &arguments) {
        return launchCommand(name, arguments);
    };
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

int profileCommand(const QStringList &arguments)
{
    const QString action = arguments.value(0);
    if (action == "--help"_L1 || action == "-h"_L1) {
        printProfileHelp();
        return 0;
    }
    if (action == "list"_L1 && arguments.size() == 1)
        return listProfiles();
    if (arguments.size() < 2)
        return refuseAction(action == "list"_L1 ? QString() : action);
    if (action == "show"_L1 && arguments.size() == 2)
        return showProfile(arguments[1]);
    if (action == "save"_L1)
        return save(arguments[1], arguments.mid(2));
    if (action == "remove"_L1 && arguments.size() == 2) {
        const auto error = removeProfile(arguments[1]);
        return error ? refuse(*error) : 0;
    }
    return refuseAction(action);
}

int importCommand(const QStringList &arguments)
{
    const bool isSaved = arguments.value(0) == "--save"_L1;
    const QString profile = isSaved ? arguments.value(1) : QString();
    const QStringList words = arguments.mid(isSaved ? 2 : 0);
    // One argument is a line that is not split yet.
    const auto imported = words.size() == 1 ? importCommandLine(words.first()) : importCommandWords(words);
    if (!imported)
        return refuse(imported.error());
    for (const QString &note : imported->notes)
        say(tr("rankdeckctl: note: %1").arg(visibleText(note)));
    if (isSaved) {
        if (const auto error = saveProfile(profile, imported->spec, false))
            return refuse(*error);
    }
    print(visibleText(exportCommandLine(imported->spec)));
    return 0;
}

} // namespace rankdeck

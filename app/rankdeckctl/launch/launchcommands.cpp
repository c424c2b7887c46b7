#include "agent/preflight/preflight.h"
#include "agent/supervise/launcher.h"
#include "base/textcells.h"
#include "demo/demolaunch.h"
#include "launch/exchange/launchexport.h"
#include "launch/exchange/launchimport.h"
#include "launch/nodes/planlaunch.h"
#include "launch/options/launchprofile.h"
#include "launch/planning/launchbasics.h"
#include "rankdeckctl/console/command.h"
#include "rankdeckctl/console/commands.h"
#include "rankdeckctl/launch/launchreading.h"
#include "rankdeckctl/launch/launchrun.h"
#include "rankdeckctl/ranktable/tableoutput.h"

namespace rankdeck
{

static int launch(const LaunchSpec &spec, LaunchSwitches switches)
{
    const auto facts = gatherLaunchFacts(spec, PortUse::Claim);
    if (!facts)
        return refuse(facts.error());
    const QString table = tablePathOf(spec, *facts);
    if (needsRankTable(spec)) {
        if (const auto error = problemWithoutTable(spec, *facts))
            return refuse(*error);
    }
    int signal = 0;
    const auto plan = planOfLaunch(spec, *facts, spec.rankTableWaitSeconds, &signal);
    if (!plan) {
        const int code = refuse(plan.error());
        return signal != 0 ? 128 + signal : code;
    }
    if (!table.isEmpty())
        warnAboutTable(table);
    switches.detach = switches.detach || (spec.launcher == "msrun"_L1 && !spec.msrun.join);
    return launchRun(withAbsolutePaths(spec, *facts), *plan, switches);
}

int launcherCommand(const Options &options)
{
    QStringList found;
    const auto spec = readLaunch(options.command, options.positional, switchNames(options.command), found);
    if (!spec)
        return 0;
    return *spec ? launch(**spec, LaunchSwitches::from(found)) : refuse(spec->error());
}

int demoCommand(const Options &options)
{
    if (options.has("--list")) {
        if (options.has("--json"))
            printJson({{"demos", JsonText::list(demos(), [](const DemoEntry &entry) {
                            return JsonText{{"name", entry.word}, {"summary", entry.summary}};
                        })}});
        else
            for (const DemoEntry &entry : demos())
                print(filled(entry.word, 12) + entry.summary);
        return 0;
    }
    const QString word = options.positional.value(0, demos().first().word);
    const auto demo = demoFromWord(word);
    if (!demo)
        return refuse({tr("unknown demo"), word, tr("\"rankdeckctl demo --list\" lists them.")});
    constexpr int mostSpeed = 100;
    const auto speed = options.number("--speed", 1, 1);
    if (!speed || *speed > mostSpeed)
        return refuse(speed ? Error{tr("the fastest demo is x%1").arg(mostSpeed), u"--speed"_s, {}}
                            : speed.error());
    const auto spec = demoSpec(*demo, *speed);
    return spec ? launch(*spec, LaunchSwitches::from(options.switches)) : refuse(spec.error());
}

int planCommand(const Options &options)
{
    QStringList found = options.switches;
    const auto read =
        readLaunch(options.positional.first(), options.positional.mid(1), switchNames(u"plan"_s), found);
    if (!read)
        return 0;
    const Result<LaunchSpec> &spec = *read;
    if (!spec)
        return refuse(spec.error());
    const auto facts = gatherLaunchFacts(*spec);
    if (!facts)
        return refuse(facts.error());
    const auto plan = planOfLaunch(*spec, *facts, 0);
    if (!plan)
        return refuse(plan.error());
    if (found.contains("--script"_L1))
        print(exportShellScript(*plan).trimmed());
    else
        printPlan(*plan, found.contains("--json"_L1));
    // The launch would refuse; the plan itself is right, and may be for another machine.
    if (const auto problem = problemWithInputs(*plan))
        sayNote(tr("The launch would fail here: %1").arg(visibleText(problem->sentence().simplified())));
    return 0;
}

int profileListCommand(const Options &options)
{
    const QStringList names = profileNames();
    if (options.has("--json")) {
        printJson({{"profiles", names}});
        return 0;
    }
    for (const QString &name : names)
        print(visibleText(name));
    return 0;
}

/// One that wraps a script has several lines.
static void printCommandLine(const QString &commandLine)
{
    for (const QString &line : commandLine.split('\n'_L1))
        print(visibleText(line));
}

int profileShowCommand(const Options &options)
{
    const auto spec = loadProfile(options.positional.first());
    if (!spec)
        return refuse(spec.error());
    const QByteArray text = profileText(*spec);
    const QString commandLine = exportCommandLine(*spec);
    if (options.has("--json")) {
        printJson({{"profile", JsonText::of(text)}, {"command_line", commandLine}});
        return 0;
    }
    print(visibleJson(text.trimmed()));
    printCommandLine(commandLine);
    return 0;
}

int profileSaveCommand(const Options &options)
{
    const QString &name = options.positional.first();
    QStringList rest = options.positional.mid(1);
    const bool isBehind = rest.first() == "--force"_L1;
    const bool replace = isBehind || options.has("--force");
    if (isBehind)
        rest.removeFirst();
    QStringList found;
    const auto spec = readLaunch(rest.value(0), rest.mid(1), {}, found);
    if (!spec)
        return 0;
    if (!*spec)
        return refuse(spec->error());
    if (auto error = saveProfile(name, **spec, replace)) {
        if (!replace && !error->mend.isEmpty())
            error->mend = tr("Give another name, or replace it with --force.");
        return refuse(*error);
    }
    say(tr("Saved as %1.").arg(visibleText(profilePath(name))));
    return 0;
}

int profileRemoveCommand(const Options &options)
{
    const auto error = removeProfile(options.positional.first());
    return error ? refuse(*error) : 0;
}

int importCommand(const Options &options)
{
    const QStringList &words = options.positional;
    const auto environment = QProcessEnvironment::systemEnvironment();
    // One argument is a line that is not split yet.
    const auto imported = words.size() == 1 ? importCommandLine(words.first(), environment)
                                            : importCommandWords(words, environment);
    if (!imported)
        return refuse(imported.error());
    if (options.hasValue("--save")) {
        if (const auto error = saveProfile(options.value("--save"), imported->spec, false))
            return refuse(*error);
    }
    const QString commandLine = exportCommandLine(imported->spec);
    if (options.has("--json")) {
        printJson({{"launcher", imported->spec.launcher},
                   {"command_line", commandLine},
                   {"notes", imported->notes}});
        return 0;
    }
    for (const QString &note : imported->notes)
        sayNote(note);
    printCommandLine(commandLine);
    return 0;
}

} // namespace rankdeck

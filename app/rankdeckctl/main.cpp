#include "agent/channel/headchannel.h"
#include "base/resources.h"
#include "rankdeckctl/console/commands.h"
#include "run/process/processsettings.h"

#include <algorithm>
#include <array>

namespace rankdeck
{

namespace
{

struct Command {
    const char *name;
    std::function<int(const QStringList &)> run;
    const char *usage; ///< Null for commands that only Rankdeck itself starts.
    const char *help;
    bool helpsItself = false; ///< With --help; else `usage` and `help` are all there is to say.
};

const std::array commands{
    Command{"davincirun", launcherCommand("davincirun"), QT_TRANSLATE_NOOP("rankdeck", "[options] COMMAND…"),
            QT_TRANSLATE_NOOP("rankdeck", "launch one process a device of this node and wait"), true},
    Command{"msrun", launcherCommand("msrun"), QT_TRANSLATE_NOOP("rankdeck", "[msrun's own options] SCRIPT…"),
            QT_TRANSLATE_NOOP("rankdeck", "as msrun: the scheduler and the workers of this node, watched"),
            true},
    Command{"processes", launcherCommand("processes"), QT_TRANSLATE_NOOP("rankdeck", "[options] -- COMMAND…"),
            QT_TRANSLATE_NOOP("rankdeck", "launch as torchrun does on one node and wait"), true},
    Command{"run", launcherCommand("run"), QT_TRANSLATE_NOOP("rankdeck", "PROFILE | --again RUN [options]"),
            QT_TRANSLATE_NOOP("rankdeck", "launch what a profile holds, or what a run was"), true},
    Command{"profile", profileCommand, QT_TRANSLATE_NOOP("rankdeck", "list | show | save | remove …"),
            QT_TRANSLATE_NOOP("rankdeck", "launches kept under a name, to be shared as files"), true},
    Command{"import", importCommand, QT_TRANSLATE_NOOP("rankdeck", "[--save PROFILE] COMMAND LINE…"),
            QT_TRANSLATE_NOOP("rankdeck", "an msrun, torchrun or davincirun command line as Rankdeck's")},
    Command{"plan", planCommand, QT_TRANSLATE_NOOP("rankdeck", "LAUNCHER [--json | --script] …"),
            QT_TRANSLATE_NOOP("rankdeck", "show what would be started, start nothing")},
    Command{"preflight", preflightCommand,
            QT_TRANSLATE_NOOP("rankdeck", "[--import MODULE] [--limit S] LAUNCHER [--json] …"),
            QT_TRANSLATE_NOOP("rankdeck", "look whether a launch would find what it needs, start nothing"),
            true},
    Command{"list", withOptions(listCommand, {"--json", "--limit", "--state"}),
            QT_TRANSLATE_NOOP("rankdeck", "[--state STATE] [--limit N] [--json]"),
            QT_TRANSLATE_NOOP("rankdeck", "live and past runs, live ones first")},
    Command{"delete", withOptions(deleteCommand, {"--logs --yes --dry-run", {}, {}, 1, OptionNames::any}),
            QT_TRANSLATE_NOOP("rankdeck", "RUN… [--logs] [--yes | --dry-run]"),
            QT_TRANSLATE_NOOP("rankdeck", "delete runs that have ended; --logs: also their logs elsewhere")},
    Command{"keep", withOptions(keepCommand, {"--apply --dry-run --json", {}, {}, 0, 1}),
            QT_TRANSLATE_NOOP("rankdeck", "[DAYS | forever | --apply] [--dry-run]"),
            QT_TRANSLATE_NOOP("rankdeck", "how long runs are kept after their end, and which that is not")},
    Command{
        "attach", withOptions(attachCommand, {"--fold --raw", "--tail --rank", {}, 1, 1}),
        QT_TRANSLATE_NOOP("rankdeck", "RUN [--tail N] [--rank R | --rank R,… | --rank all] [--fold] [--raw]"),
        QT_TRANSLATE_NOOP("rankdeck", "print a run's lines as they come; --rank: and type to ranks")},
    Command{"wait", withOptions(waitCommand, {{}, {}, {}, 1, 1}), QT_TRANSLATE_NOOP("rankdeck", "RUN"),
            QT_TRANSLATE_NOOP("rankdeck", "wait for a run's end and return its exit code")},
    Command{"stop", withOptions(stopCommand, {"--kill --scheduler", "--rank --node", {}, 1, 1}),
            QT_TRANSLATE_NOOP("rankdeck", "RUN [--kill] [--rank R,… | --node NODE | --scheduler]"),
            QT_TRANSLATE_NOOP("rankdeck", "end a run or a part of it, in order or at once")},
    Command{"debug", withOptions(debugCommand, {{}, "--rank", {}, 1, 2}),
            QT_TRANSLATE_NOOP("rankdeck", "RUN --rank R [gdb | py-spy-dump | py-spy-top | strace]"),
            QT_TRANSLATE_NOOP("rankdeck", "attach a debugger to a rank that runs, in this terminal")},
    Command{"signal", withOptions(signalCommand, {{}, "--rank", {}, 2, 2}),
            QT_TRANSLATE_NOOP("rankdeck", "RUN SIGNAL [--rank R,… | --rank all]"),
            QT_TRANSLATE_NOOP("rankdeck",
                              "send INT, TERM, KILL, USR1, USR2, STOP or CONT to ranks; all by default")},
    Command{"dump", withOptions(dumpCommand, {"--json", "--rank", {}, 1, 1}),
            QT_TRANSLATE_NOOP("rankdeck", "RUN [--rank R,…] [--json]"),
            QT_TRANSLATE_NOOP("rankdeck", "the stacks of a live run's processes, equal ones together")},
    Command{
        "logs", logsCommand,
        QT_TRANSLATE_NOOP("rankdeck", "RUN | --open PATH [--follow] [--merge] [--fold] [--grep PATTERN] …"),
        QT_TRANSLATE_NOOP("rankdeck", "print a run's logs, or those in a directory; all ranks in one time"),
        true},
    Command{"progress",
            withOptions(progressCommand, {"--json --csv --follow", "--progress-pattern", {}, 1, 1}),
            QT_TRANSLATE_NOOP("rankdeck", "RUN | PATH [--json | --csv] [--follow]"),
            QT_TRANSLATE_NOOP("rankdeck", "how far the ranks' training is, by what their logs say of it")},
    Command{"explain", withOptions(explainCommand, {"--json", {}, {}, 1, OptionNames::any}),
            QT_TRANSLATE_NOOP("rankdeck", "CODE | FILE… | - [--json]"),
            QT_TRANSLATE_NOOP("rankdeck", "what an error code means, or which known errors logs tell of")},
    Command{"report", withOptions(reportCommand, {"--json --html", "--bundle --max-size", {}, 1, 1}),
            QT_TRANSLATE_NOOP("rankdeck",
                              "RUN | PATH | BUNDLE [--json | --html | --bundle FILE [--max-size MB]]"),
            QT_TRANSLATE_NOOP("rankdeck", "which rank failed first, why, and what that rests on")},
    Command{"devices", devicesCommand,
            QT_TRANSLATE_NOOP("rankdeck",
                              "[--watch [SECONDS]] [--json | --prometheus] [--source npu-smi | dcmi]"),
            QT_TRANSLATE_NOOP("rankdeck", "the NPUs of this machine: how busy, how hot, who uses them"),
            true},
    Command{"nodes", nodesCommand, QT_TRANSLATE_NOOP("rankdeck", "test | trust …"),
            QT_TRANSLATE_NOOP("rankdeck", "try the nodes of a launch, over ssh or Slurm"), true},
    Command{"open", withOptions(openCommand, {"--json", {}, {}, 1, 1}),
            QT_TRANSLATE_NOOP("rankdeck", "PATH [--json]"),
            QT_TRANSLATE_NOOP("rankdeck",
                              "which ranks logged there, and which failed first: any launcher's logs")},
    Command{"ranktable", rankTableCommand, QT_TRANSLATE_NOOP("rankdeck", "ACTION …"),
            QT_TRANSLATE_NOOP("rankdeck", "check, show, convert, merge, subset, generate, init, wait"), true},
    Command{
        "collective", collectiveCommand, QT_TRANSLATE_NOOP("rankdeck", "[options]"),
        QT_TRANSLATE_NOOP("rankdeck", "one rank of a self-test of the ways and collectives between ranks"),
        true},
    Command{"supervise", withOptions(superviseCommand, {{}, {}, {}, 1, 1}), nullptr, nullptr},
    Command{"agent", withOptions(agentCommand, {guardedOption.data(), rejoinOption.data()}), nullptr,
            nullptr},
};

QString callOf(const Command &command)
{
    return u"%1 %2"_s.arg(QLatin1String(command.name), tr(command.usage));
}

QString usage()
{
    constexpr int width = 48;
    QString text = tr("Usage: rankdeckctl COMMAND …\n\n");
    for (const Command &command : commands) {
        if (!command.usage)
            continue;
        const QString call = callOf(command);
        const QString rest = call.size() > width ? '\n'_L1 + QString(width + 2, ' '_L1) : QString();
        text += u"  %1%2 %3\n"_s.arg(call, -width).arg(rest, tr(command.help));
    }
    text += tr("\nRUN is a run's name, a unique part of its beginning or end, or \"last\".\n"
               "LAUNCHER is davincirun, msrun, processes, or run with a profile.\n"
               "rankdeckctl COMMAND --help says more of one.");
    return text;
}

int runProgram(int argc, char *argv[])
{
    const bool isSupervisor = argc > 1 && qstrcmp(argv[1], "supervise") == 0;
    const bool isAgent = argc > 1 && qstrcmp(argv[1], "agent") == 0;
    if (isSupervisor || isAgent)
        closeInherited();
    raiseLimits();
    // Forked before Qt exists, so that the guardian process stays small.
    const bool isGuardedAgent = isAgent && argc > 2 && argv[2] == guardedOption;
    std::optional<GuardedProcess> lost;
    if (isSupervisor || isGuardedAgent)
        lost = forkGuarded(argv);
    if (lost && lost->status.isSuccess())
        return 0;
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(u"rankdeckctl"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(RANKDECK_VERSION));

    const QStringList arguments = QCoreApplication::arguments().mid(1);
    if (lost)
        return isSupervisor ? lostRunCommand(arguments.mid(1), *lost) : lostAgentCommand(*lost);
    // What Rankdeck writes down, on whichever node, stays English.
    const QString name = arguments.value(0);
    if (!isSupervisor && !isAgent)
        installTranslations(application);
    if (asksForHelp({name}) || name == "help"_L1) {
        print(usage());
        return 0;
    }
    if (name == "--version"_L1) {
        print(u"rankdeckctl "_s + QCoreApplication::applicationVersion());
        return 0;
    }
    if (name.isEmpty()) {
        say(usage());
        return unusableInput;
    }
    const auto *const command = std::find_if(commands.begin(), commands.end(), [&](const Command &known) {
        return name == QLatin1String(known.name);
    });
    if (command == commands.end())
        return refuse({tr("there is no command \"%1\"").arg(name), {}, tr("See rankdeckctl --help.")});
    if (command->usage && !command->helpsItself && asksForHelp(arguments.mid(1, 1))) {
        print(tr("Usage: rankdeckctl %1\n\n  %2").arg(callOf(*command), tr(command->help)));
        return 0;
    }
    return command->run(arguments.mid(1));
}

} // namespace

} // namespace rankdeck

int main(int argc, char *argv[])
{
    rankdeck::dropForeignHandlers();
    return rankdeck::codeWithOutput(rankdeck::runProgram(argc, argv));
}

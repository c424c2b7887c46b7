#include "agent/guardian.h"
#include "commands.h"
#include "output.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace
{

using namespace rankdeck;

struct Command {
    const char *name;
    int (*run)(const QStringList &);
    const char *usage; ///< Null for what only Rankdeck itself starts.
    const char *help;
    bool helpsItself = false; ///< With --help; else `usage` and `help` are all there is to say.
};

const std::array commands{
    Command{"davincirun", davincirunCommand, "[options] COMMAND…",
            QT_TRANSLATE_NOOP("main", "launch one process a device of this node and wait"), true},
    Command{"msrun", msrunCommand, "[msrun's own options] SCRIPT…",
            QT_TRANSLATE_NOOP("main", "as msrun: the scheduler and the workers of this node, watched"), true},
    Command{"processes", processesCommand, "[options] -- COMMAND…",
            QT_TRANSLATE_NOOP("main", "launch as torchrun does on one node and wait"), true},
    Command{"run", runCommand, "PROFILE | --again RUN [options]",
            QT_TRANSLATE_NOOP("main", "launch what a profile holds, or what a run was"), true},
    Command{"profile", profileCommand, "list | show | save | remove …",
            QT_TRANSLATE_NOOP("main", "launches kept under a name, to be shared as files"), true},
    Command{"import", importCommand, "[--save PROFILE] COMMAND LINE…",
            QT_TRANSLATE_NOOP("main", "an msrun, torchrun or davincirun command line as Rankdeck's")},
    Command{"plan", planCommand, "LAUNCHER [--json | --script] …",
            QT_TRANSLATE_NOOP("main", "show what would be started, start nothing")},
    Command{"preflight", preflightCommand, "[--import MODULE] [--limit S] LAUNCHER [--json] …",
            QT_TRANSLATE_NOOP("main", "look whether a launch would find what it needs, start nothing"), true},
    Command{"list", listCommand, "[--state STATE] [--limit N] [--json]",
            QT_TRANSLATE_NOOP("main", "live and past runs, live ones first")},
    Command{"delete", deleteCommand, "RUN… [--logs] [--yes | --dry-run]",
            QT_TRANSLATE_NOOP("main", "delete runs that have ended; --logs: also their logs elsewhere")},
    Command{"keep", keepCommand, "[DAYS | forever | --apply] [--dry-run]",
            QT_TRANSLATE_NOOP("main", "how long runs are kept after their end, and which that is not")},
    Command{"attach", attachCommand, "RUN [--tail N] [--rank R | --rank R,… | --rank all] [--fold]",
            QT_TRANSLATE_NOOP("main", "print a run's lines as they come; --rank: and type to ranks")},
    Command{"wait", waitCommand, "RUN",
            QT_TRANSLATE_NOOP("main", "wait for a run's end and return its exit code")},
    Command{"stop", stopCommand, "RUN [--kill] [--rank R,… | --node NODE | --scheduler]",
            QT_TRANSLATE_NOOP("main", "end a run or a part of it, in order or at once")},
    Command{"debug", debugCommand, "RUN --rank R [gdb | py-spy-dump | py-spy-top | strace]",
            QT_TRANSLATE_NOOP("main", "attach a debugger to a rank that runs, in this terminal")},
    Command{
        "signal", signalCommand, "RUN SIGNAL [--rank R,… | --rank all]",
        QT_TRANSLATE_NOOP("main", "send INT, TERM, KILL, USR1, USR2, STOP or CONT to ranks; all by default")},
    Command{"dump", dumpCommand, "RUN [--rank R,…] [--json]",
            QT_TRANSLATE_NOOP("main", "the stacks of a live run's processes, equal ones together")},
    Command{"logs", logsCommand, "RUN | --open DIR [--follow] [--merge] [--fold] [--grep PATTERN] …",
            QT_TRANSLATE_NOOP("main", "print a run's logs, or those in a directory; all ranks in one time"),
            true},
    Command{"progress", progressCommand, "RUN | DIR [--json | --csv] [--follow]",
            QT_TRANSLATE_NOOP("main", "how far the ranks' training is, by what their logs say of it")},
    Command{"explain", explainCommand, "CODE | FILE… | - [--json]",
            QT_TRANSLATE_NOOP("main", "what an error code means, or which known errors logs tell of")},
    Command{"report", reportCommand,
            "RUN | LOG_DIR | BUNDLE [--json | --html | --bundle FILE [--max-size MB]]",
            QT_TRANSLATE_NOOP("main", "which rank failed first, why, and what that rests on")},
    Command{"devices", devicesCommand,
            "[--watch [SECONDS]] [--json | --prometheus] [--source npu-smi | dcmi]",
            QT_TRANSLATE_NOOP("main", "the NPUs of this machine: how busy, how hot, who uses them"), true},
    Command{"nodes", nodesCommand, "test | trust …",
            QT_TRANSLATE_NOOP("main", "try the nodes of a launch, over ssh or Slurm"), true},
    Command{
        "open", openCommand, "DIR [--json]",
        QT_TRANSLATE_NOOP("main", "which ranks logged there, and which failed first: any launcher's logs")},
    Command{"ranktable", rankTableCommand, "ACTION …",
            QT_TRANSLATE_NOOP("main", "check, show, convert, merge, subset, generate, init, wait"), true},
    Command{"collective", collectiveCommand, "[options]",
            QT_TRANSLATE_NOOP("main", "one rank of a self-test of the ways and collectives between ranks"),
            true},
    Command{"supervise", superviseCommand, nullptr, nullptr},
    Command{"agent", agentCommand, nullptr, nullptr},
};

QString tr(const char *text)
{
    return QCoreApplication::translate("main", text);
}

QString callOf(const Command &command)
{
    return QStringLiteral("%1 %2").arg(QLatin1String(command.name), QString::fromUtf8(command.usage));
}

bool isHelp(const QString &argument)
{
    return argument == QLatin1String("--help") || argument == QLatin1String("-h");
}

QString usage()
{
    constexpr int width = 48;
    QString text = tr("Usage: rankdeckctl COMMAND …\n\n");
    for (const Command &command : commands) {
        if (!command.usage)
            continue;
        const QString call = callOf(command);
        const QString rest =
            call.size() > width ? QLatin1Char('\n') + QString(width + 2, QLatin1Char(' ')) : QString();
        text += QStringLiteral("  %1%2 %3\n").arg(call, -width).arg(rest, tr(command.help));
    }
    text += tr("\nRUN is a run's name, a unique part of its beginning or end, or \"last\".\n"
               "LAUNCHER is davincirun, msrun, processes, or run with a profile.\n"
               "rankdeckctl COMMAND --help says more of one.");
    return text;
}

} // namespace

int main(int argc, char *argv[])
{
    // Before there is anything that a guardian would have for nothing.
    const bool isSupervisor = argc > 1 && qstrcmp(argv[1], "supervise") == 0;
    const bool isGuardedAgent = argc > 2 && qstrcmp(argv[1], "agent") == 0 && argv[2] == guardedOption;
    std::optional<GuardedProcess> lost;
    if (isSupervisor || isGuardedAgent)
        lost = forkGuarded();
    if (lost && lost->status.isSuccess())
        return 0;
    QCoreApplication application(argc, argv);
    QCoreApplication::setApplicationName(QStringLiteral("rankdeckctl"));
    QCoreApplication::setApplicationVersion(QStringLiteral(RANKDECK_VERSION));

    const QStringList arguments = QCoreApplication::arguments().mid(1);
    if (lost)
        return isSupervisor ? lostRunCommand(arguments.mid(1), *lost) : lostAgentCommand(*lost);
    const QString name = arguments.value(0);
    if (isHelp(name) || name == QLatin1String("help")) {
        print(usage());
        return 0;
    }
    if (name == QLatin1String("--version")) {
        print(QStringLiteral("rankdeckctl ") + QCoreApplication::applicationVersion());
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
    if (command->usage && !command->helpsItself && isHelp(arguments.value(1))) {
        print(tr("Usage: rankdeckctl %1\n\n  %2").arg(callOf(*command), tr(command->help)));
        return 0;
    }
    return command->run(arguments.mid(1));
}

#include "launch/exchange/launchexport.h"

#include "base/numberranges.h"
#include "launch/options/launchers.h"
#include "launch/plan/attempt.h"
#include "launch/text/commandline.h"

namespace rankdeck
{

/// A word for bash; what lies in the run directory is below $run.
static QString word(const QString &text)
{
    const QString placeholder = QLatin1String(runDirectoryPlaceholder);
    if (text == placeholder)
        return QStringLiteral("\"$run\"");
    if (text.startsWith(placeholder + QLatin1Char('/')))
        return QStringLiteral("\"$run\"/") + joinCommandLine({text.mid(placeholder.size() + 1)});
    return joinCommandLine({text});
}

/// A word for bash that may have such a path inside, as wrappers' words do.
static QString wrapperWord(const QString &text)
{
    const auto at = text.indexOf(QLatin1String(runDirectoryPlaceholder) + QLatin1Char('/'));
    return at <= 0 ? word(text) : joinCommandLine({text.left(at)}) + word(text.mid(at));
}

static QString words(const QStringList &texts)
{
    QStringList quoted;
    for (const QString &text : texts)
        quoted << word(text);
    return quoted.join(QLatin1Char(' '));
}

static QString folderOf(const QString &path)
{
    return path.section(QLatin1Char('/'), 0, -2);
}

/// Returns any text as one comment line.
static QString comment(QString text)
{
    for (QChar &letter : text) {
        if (letter.unicode() < 0x20 || letter.unicode() == 0x7f)
            letter = QLatin1Char(' ');
    }
    return QStringLiteral("# ") + text + QLatin1Char('\n');
}

/// The `env` command that changes the script's environment into the process's, with the process's command.
static QString environmentAndCommand(const ProcessPlan &process)
{
    QString text = QStringLiteral("env");
    for (const QString &name : process.removeVariables)
        text += QStringLiteral(" -u ") + word(name);
    for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
        text +=
            QStringLiteral(" \\\n    ") + joinCommandLine({it.key()}) + QLatin1Char('=') + word(it.value());
    text += QStringLiteral(" \\\n    ");
    for (int index = 0; index < process.wrapperWords; ++index)
        text += wrapperWord(process.argv[index]) + QLatin1Char(' ');
    return text + words(process.ownCommand());
}

/// Returns a subshell whose streams go to the process's logs. `lead`: the words that start the process, "exec
/// setsid " for one that is to lead a group.
static QString subshellOf(const ProcessPlan &process, const QString &lead, bool overwrites)
{
    const QString to = overwrites ? QStringLiteral(">") : QStringLiteral(">>");
    QStringList folders{folderOf(process.logFile)};
    folders << process.makeDirectories;
    folders.removeDuplicates();
    QString text = QStringLiteral("mkdir -p %1\n").arg(words(folders));
    text += QStringLiteral("(\n    cd ") + word(process.workDir) + QStringLiteral(" || exit\n");
    if (process.umask >= 0)
        text += QStringLiteral("    umask %1\n").arg(process.umask, 3, 8, QLatin1Char('0'));
    if (process.openFiles > 0)
        text += QStringLiteral("    ulimit -n %1 || exit\n").arg(process.openFiles);
    if (process.memoryLimitMiB > 0)
        text += QStringLiteral("    ulimit -v %1 || exit\n").arg(qint64(process.memoryLimitMiB) * 1024);
    text += QStringLiteral("    ") + lead;
    if (process.nice != 0)
        text += QStringLiteral("nice -n %1 ").arg(process.nice);
    if (!process.cpus.isEmpty()) {
        QStringList cpus;
        for (const int cpu : process.cpus)
            cpus << QString::number(cpu);
        text += QStringLiteral("taskset -c %1 ").arg(cpus.join(QLatin1Char(',')));
    }
    if (!process.memoryNodes.isEmpty())
        text += QStringLiteral("numactl --membind=%1 ").arg(numberRanges(process.memoryNodes));
    text +=
        environmentAndCommand(process) + QStringLiteral("\n) </dev/null %1%2").arg(to, word(process.logFile));
    return text + (process.stderrFile.isEmpty() ? QStringLiteral(" 2>&1")
                                                : QStringLiteral(" 2%1%2").arg(to, word(process.stderrFile)));
}

static QString startOf(const ProcessPlan &process, bool overwrites)
{
    return QLatin1Char('\n') + comment(process.label()) +
           subshellOf(process, QStringLiteral("exec setsid "), overwrites) +
           QStringLiteral(" &\npids+=($!)\n");
}

/// A command before the first process; if it fails, the script ends.
static QString beforeOf(const ProcessPlan &hook)
{
    return QLatin1Char('\n') + subshellOf(hook, QStringLiteral("exec "), false) +
           (hook.mayFail ? QStringLiteral("\n") : QStringLiteral(" || exit\n"));
}

/// The commands after the last process, as a function.
static QString afterOf(const std::vector<ProcessPlan> &hooks)
{
    QString text = QStringLiteral("\nrun_after()\n{\n    :\n");
    for (const ProcessPlan &hook : hooks)
        text += subshellOf(hook, QStringLiteral("exec "), false) + QLatin1Char('\n');
    return text + QStringLiteral("}\n");
}

static QString fileOf(const PlannedFile &file)
{
    QString end = QStringLiteral("END_OF_FILE");
    while (file.content.contains(end.toUtf8()))
        end += QLatin1Char('_');
    return QStringLiteral("mkdir -p %1\ncat >%2 <<'%3'\n%4\n%3\n")
        .arg(word(folderOf(file.path)), word(file.path), end, QString::fromUtf8(file.content).trimmed());
}

static QString scratchOf(const ScratchDirectory &scratch)
{
    return QStringLiteral("\n# Removed at the end.\n"
                          "for root in %1; do\n"
                          "    scratch=$(mktemp -d \"$root\"/rankdeck-XXXXXX 2>/dev/null) && break\n"
                          "done\n"
                          "export %2=$scratch\n"
                          "trap 'rm -rf \"$scratch\"' EXIT\n")
        .arg(words(scratch.roots), scratch.variable);
}

constexpr char ending[] = R"(
# To every process group; a process that has just been started leads none yet. True while any is there.
signal_all()
{
    local pid gone=1
    for pid in "${pids[@]}"; do
        { kill "-$1" -- "-$pid" || kill "-$1" "$pid"; } 2>/dev/null && gone=0
    done
    return "$gone"
}

# SIGTERM, then SIGKILL to what is left after the grace.
end_all()
{
    local tenths=$((grace * 10))
    signal_all TERM
    while ((tenths-- > 0)) && signal_all 0; do sleep 0.1; done
    signal_all KILL
}
trap 'end_all; run_after; exit 130' INT
trap 'end_all; run_after; exit 143' TERM

code=0
for ((left = ${#pids[@]}; left > 0; --left)); do
    wait -n
    status=$?
    ((status != 0 && code == 0)) || continue
    code=$status
    $destroy && break
done
$destroy && end_all
wait
run_after
exit "$code"
)";

/// "A=1 B='x y' " in front of a command.
static QString assignments(const QMap<QString, QString> &variables)
{
    QString text;
    for (auto it = variables.begin(); it != variables.end(); ++it)
        text += it.key() + QLatin1Char('=') + joinCommandLine({it.value()}) + QLatin1Char(' ');
    return text;
}

/// The options that only Rankdeck has, as they are written; taken out of `spec`.
static QStringList takeOwnOptions(LaunchSpec &spec, const LaunchCommandLine &line, const Launcher &launcher)
{
    const LaunchSpec given = spec;
    spec.name = line.defaults.name;
    spec.workDir = line.defaults.workDir;
    spec.graceSeconds = line.defaults.graceSeconds;
    spec.raiseOnFailure = line.defaults.raiseOnFailure;
    spec.common = line.defaults.common;
    LaunchSpec bare = line.defaults;
    bare.name = given.name;
    bare.workDir = given.workDir;
    bare.graceSeconds = given.graceSeconds;
    bare.raiseOnFailure = given.raiseOnFailure;
    bare.common = given.common;
    if (haveFieldOf(launcher.rows(), row(at<&CommonOptions::bindCore>()))) // msrun binds cpus itself.
        std::swap(spec.common.bindCore, bare.common.bindCore);
    return line.arguments(bare);
}

/// torchrun starts Python by itself.
static QStringList torchrunCommand(const QStringList &command)
{
    const bool isPython =
        command.value(0) == QLatin1String("python3") || command.value(0) == QLatin1String("python");
    QStringList rest = command.mid(1);
    if (isPython && rest.value(0) == QLatin1String("-u"))
        rest.removeFirst();
    if (isPython && (rest.value(0) == QLatin1String("-m") || !rest.value(0).startsWith(QLatin1Char('-'))))
        return rest;
    return QStringList{QStringLiteral("--no_python")} + command;
}

QString exportShellScript(const LaunchPlan &launch)
{
    const LaunchPlan plan = forAttempt(launch, 0);
    QString script =
        QStringLiteral("#!/usr/bin/env bash\n") +
        comment(QStringLiteral("%1: the %2 processes of %3 on %4, world size %5.")
                    .arg(plan.name)
                    .arg(plan.processes.size())
                    .arg(plan.launcher, plan.thisNode)
                    .arg(plan.worldSize())) +
        comment(QStringLiteral("Starts them as Rankdeck would; the first that fails ends the rest and "
                               "gives the exit code.")) +
        QStringLiteral("set -u\n\n");
    script += QStringLiteral("# What belongs to this run alone; a new directory unless RUN_DIR names one.\n"
                             "run=${RUN_DIR:-$(mktemp -d \"${TMPDIR:-/tmp}\"/run-XXXXXX)}\n"
                             "echo \"Run directory: $run\" >&2\n"
                             "grace=%1\ndestroy=%2\npids=()\n")
                  .arg(plan.graceSeconds)
                  .arg(plan.destroyWhenFinished ? QStringLiteral("true") : QStringLiteral("false"));
    for (const PlannedFile &file : plan.files)
        script += QLatin1Char('\n') + fileOf(file);
    if (plan.scratch)
        script += scratchOf(*plan.scratch);
    for (const ProcessPlan &hook : plan.before)
        script += beforeOf(hook);
    script += afterOf(plan.after);
    for (const ProcessPlan &process : plan.processes)
        script += startOf(process, plan.overwriteLogs);
    return script + QLatin1String(ending);
}

QString exportCommandLine(const LaunchSpec &spec)
{
    const auto line = launcherCommandLine(spec.launcher);
    if (!line)
        return {};
    return joinCommandLine(QStringList{QStringLiteral("rankdeckctl"), spec.launcher} + line->arguments(spec));
}

PeerCommandLine exportPeerCommandLine(const LaunchSpec &spec)
{
    const Launcher *launcher = findLauncher(spec.launcher);
    const auto line = launcherCommandLine(spec.launcher);
    if (!line)
        return {};
    PeerCommandLine exported;
    LaunchSpec bare = spec;
    const QStringList own = takeOwnOptions(bare, *line, *launcher);
    // torchrun has no option for it.
    if (QString &prefix = bare.processes.linePrefixTemplate;
        launcher->peerLine == PeerLine::Torchrun && !prefix.isEmpty())
        bare.environment.insert(QStringLiteral("TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE"),
                                std::exchange(prefix, {}));
    const QString variables = assignments(bare.environment);
    bare.environment.clear();
    QStringList words;
    if (launcher->peerLine == PeerLine::LauncherAndCommand) {
        LaunchSpec options = bare;
        options.command.clear();
        const QStringList left = line->arguments(options);
        if (!left.isEmpty())
            exported.notes << tr("davincirun has no %1.").arg(joinCommandLine(left));
        words = QStringList{spec.launcher} + bare.command;
    } else if (launcher->peerLine == PeerLine::SameOptions) {
        words = QStringList{spec.launcher} + line->arguments(bare);
    } else if (launcher->peerLine == PeerLine::Command) {
        words = bare.command;
    } else {
        const QStringList command = torchrunCommand(bare.command);
        bare.command.clear();
        if (!bare.processes.function.isEmpty())
            exported.notes << tr("torchrun calls no function: %1 is left out.").arg(bare.processes.function);
        bare.processes.function.clear();
        QStringList options = line->arguments(bare);
        for (QString &option : options) {
            const auto equals = option.indexOf(QLatin1Char('='));
            QString name =
                option.left(equals).replace(QLatin1String("--nproc"), QLatin1String("--nproc_per_node"));
            name = QStringLiteral("--") + name.mid(2).replace(QLatin1Char('-'), QLatin1Char('_'));
            option = name + (equals < 0 ? QString() : option.mid(equals));
        }
        if (!bare.processes.args.isEmpty() || !bare.processes.envs.isEmpty() ||
            !bare.processes.linePrefixes.isEmpty())
            exported.notes << tr("torchrun has no arguments, variables or prefixes by local rank.");
        words = QStringList{QStringLiteral("torchrun")} + options + command;
    }
    if (!own.isEmpty())
        exported.notes << tr("Only Rankdeck has %1.").arg(joinCommandLine(own));
    exported.line = variables + joinCommandLine(words);
    return exported;
}

} // namespace rankdeck

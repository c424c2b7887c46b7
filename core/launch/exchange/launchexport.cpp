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
        return u"\"$run\""_s;
    if (text.startsWith(placeholder + '/'_L1))
        return u"\"$run\"/"_s + joinCommandLine({text.mid(placeholder.size() + 1)});
    return joinCommandLine({text});
}

/// A word for bash that may have such a path inside, as wrappers' words do.
static QString wrapperWord(const QString &text)
{
    const auto at = text.indexOf(QLatin1String(runDirectoryPlaceholder) + '/'_L1);
    return at <= 0 ? word(text) : joinCommandLine({text.left(at)}) + word(text.mid(at));
}

static QString words(const QStringList &texts)
{
    const QStringList quoted = listOf(texts, [&](const QString &text) { return word(text); });
    return quoted.join(' '_L1);
}

static QString folderOf(const QString &path)
{
    return path.section('/'_L1, 0, -2);
}

/// Returns any text as one comment line.
static QString comment(QString text)
{
    for (QChar &letter : text) {
        if (letter.unicode() < 0x20 || letter.unicode() == 0x7f)
            letter = ' '_L1;
    }
    return u"# "_s + text + '\n'_L1;
}

/// The `env` command that changes the script's environment into the process's, with the process's command.
static QString environmentAndCommand(const ProcessPlan &process)
{
    QString text = u"env"_s;
    for (const QString &name : process.removeVariables)
        text += u" -u "_s + word(name);
    for (auto it = process.setVariables.begin(); it != process.setVariables.end(); ++it)
        text += u" \\\n    "_s + joinCommandLine({it.key()}) + '='_L1 + word(it.value());
    text += u" \\\n    "_s;
    for (int index = 0; index < process.wrapperWords; ++index)
        text += wrapperWord(process.argv[index]) + ' '_L1;
    return text + words(process.ownCommand());
}

/// Returns a subshell whose streams go to the process's logs. `lead`: the words that start the process, "exec
/// setsid " for one that is to lead a group.
static QString subshellOf(const ProcessPlan &process, const QString &lead, bool overwrites)
{
    const QString to = overwrites ? u">"_s : u">>"_s;
    QStringList folders{folderOf(process.logFile)};
    folders << process.makeDirectories;
    folders.removeDuplicates();
    QString text = u"mkdir -p %1\n"_s.arg(words(folders));
    text += u"(\n    cd "_s + word(process.workDir) + u" || exit\n"_s;
    if (process.umask >= 0)
        text += u"    umask %1\n"_s.arg(process.umask, 3, 8, '0'_L1);
    if (process.openFiles > 0)
        text += u"    ulimit -n %1 || exit\n"_s.arg(process.openFiles);
    if (process.memoryLimitMiB > 0)
        text += u"    ulimit -v %1 || exit\n"_s.arg(qint64(process.memoryLimitMiB) * 1024);
    text += u"    "_s + lead;
    if (process.nice != 0)
        text += u"nice -n %1 "_s.arg(process.nice);
    if (!process.cpus.isEmpty()) {
        const QStringList cpus = listOf(process.cpus, [](int cpu) { return QString::number(cpu); });
        text += u"taskset -c %1 "_s.arg(cpus.join(','_L1));
    }
    if (!process.memoryNodes.isEmpty())
        text += u"numactl --membind=%1 "_s.arg(numberRanges(process.memoryNodes));
    text += environmentAndCommand(process) + u"\n) </dev/null %1%2"_s.arg(to, word(process.logFile));
    return text + (process.stderrFile.isEmpty() ? u" 2>&1"_s : u" 2%1%2"_s.arg(to, word(process.stderrFile)));
}

/// The commands after the last process, as a function.
static QString afterOf(const std::vector<ProcessPlan> &hooks)
{
    QString text = u"\nrun_after()\n{\n    :\n"_s;
    for (const ProcessPlan &hook : hooks)
        text += subshellOf(hook, u"exec "_s, false) + '\n'_L1;
    return text + u"}\n"_s;
}

static QString fileOf(const PlannedFile &file)
{
    QString end = u"END_OF_FILE"_s;
    while (file.content.contains(end.toUtf8()))
        end += '_'_L1;
    return u"mkdir -p %1\ncat >%2 <<'%3'\n%4\n%3\n"_s.arg(word(folderOf(file.path)), word(file.path), end,
                                                          QString::fromUtf8(file.content).trimmed());
}

static QString scratchOf(const ScratchDirectory &scratch)
{
    return u"\n# Removed at the end.\n"
           "for root in %1; do\n"
           "    scratch=$(mktemp -d \"$root\"/rankdeck-XXXXXX 2>/dev/null) && break\n"
           "done\n"
           "export %2=$scratch\n"
           "trap 'rm -rf \"$scratch\"' EXIT\n"_s.arg(words(scratch.roots), scratch.variable);
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
        text += it.key() + '='_L1 + joinCommandLine({it.value()}) + ' '_L1;
    return text;
}

/// The options that only Rankdeck has, as they are written; taken out of `spec`.
static QStringList takeOwnOptions(LaunchSpec &spec, const LaunchCommandLine &line, const Launcher &launcher)
{
    LaunchSpec bare = line.defaults;
    std::swap(spec.name, bare.name);
    std::swap(spec.workDir, bare.workDir);
    std::swap(spec.graceSeconds, bare.graceSeconds);
    std::swap(spec.raiseOnFailure, bare.raiseOnFailure);
    std::swap(spec.common, bare.common);
    if (haveFieldOf(launcher.rows(), row(at<&CommonOptions::bindCore>()))) // msrun binds cpus itself.
        std::swap(spec.common.bindCore, bare.common.bindCore);
    return line.arguments(bare);
}

/// torchrun starts Python by itself.
static QStringList torchrunCommand(const QStringList &command)
{
    const bool isPython = command.value(0) == "python3"_L1 || command.value(0) == "python"_L1;
    QStringList rest = command.mid(1);
    if (isPython && rest.value(0) == "-u"_L1)
        rest.removeFirst();
    if (isPython && (rest.value(0) == "-m"_L1 || !rest.value(0).startsWith('-'_L1)))
        return rest;
    return QStringList{u"--no_python"_s} + command;
}

QString exportShellScript(const LaunchPlan &launch)
{
    const LaunchPlan plan = forAttempt(launch, 0);
    QString script = u"#!/usr/bin/env bash\n"_s +
                     comment(u"%1: the %2 processes of %3 on %4, world size %5."_s.arg(plan.name)
                                 .arg(plan.processes.size())
                                 .arg(plan.launcher, plan.thisNode)
                                 .arg(plan.worldSize())) +
                     comment(u"Starts them as Rankdeck would; the first that fails ends the rest and "
                             "gives the exit code."_s) +
                     u"set -u\n\n"_s;
    script += u"# What belongs to this run alone; a new directory unless RUN_DIR names one.\n"
              "run=${RUN_DIR:-$(mktemp -d \"${TMPDIR:-/tmp}\"/run-XXXXXX)}\n"
              "echo \"Run directory: $run\" >&2\n"
              "grace=%1\ndestroy=%2\npids=()\n"_s.arg(plan.graceSeconds)
                  .arg(plan.destroyWhenFinished ? u"true"_s : u"false"_s);
    for (const PlannedFile &file : plan.files)
        script += '\n'_L1 + fileOf(file);
    if (plan.scratch)
        script += scratchOf(*plan.scratch);
    for (const ProcessPlan &hook : plan.before)
        script += '\n'_L1 + subshellOf(hook, u"exec "_s, false) + (hook.mayFail ? u"\n"_s : u" || exit\n"_s);
    script += afterOf(plan.after);
    for (const ProcessPlan &process : plan.processes)
        script += '\n'_L1 + comment(process.label()) +
                  subshellOf(process, u"exec setsid "_s, plan.overwriteLogs) + u" &\npids+=($!)\n"_s;
    return script + QLatin1String(ending);
}

QString exportCommandLine(const LaunchSpec &spec)
{
    const auto line = launcherCommandLine(spec.launcher);
    if (!line)
        return {};
    return joinCommandLine(QStringList{u"rankdeckctl"_s, spec.launcher} + line->arguments(spec));
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
        bare.environment.insert(u"TORCHELASTIC_LOG_LINE_PREFIX_TEMPLATE"_s, std::exchange(prefix, {}));
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
            const auto equals = option.indexOf('='_L1);
            QString name = option.left(equals).replace("--nproc"_L1, "--nproc_per_node"_L1);
            name = u"--"_s + name.mid(2).replace('-'_L1, '_'_L1);
            option = name + (equals < 0 ? QString() : option.mid(equals));
        }
        if (!bare.processes.args.isEmpty() || !bare.processes.envs.isEmpty() ||
            !bare.processes.linePrefixes.isEmpty())
            exported.notes << tr("torchrun has no arguments, variables or prefixes by local rank.");
        words = QStringList{u"torchrun"_s} + options + command;
    }
    if (!own.isEmpty())
        exported.notes << tr("Only Rankdeck has %1.").arg(joinCommandLine(own));
    exported.line = variables + joinCommandLine(words);
    return exported;
}

} // namespace rankdeck

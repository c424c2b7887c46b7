#include "launch/wrappers.h"
#include "launchform/launcheroptions.h"
#include "launchform/optiongroup.h"
#include "launchform/optiontexts.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("rankdeck::LaunchForm", text);
}

auto common(auto CommonOptions::*value)
{
    return at(&LaunchSpec::common, value);
}

/// With what `typed` comes to, where it is not that already and known.
QString directoryHelp(const QString &text, const QString &typed, const QString &path)
{
    if (path.isEmpty() || path == typed || path.startsWith(QLatin1String(runDirectoryPlaceholder)))
        return text + QLatin1Char('.');
    return tr("%1: %2").arg(text, path);
}

const ProcessPlan *firstProcess(const PreviewResult &result)
{
    return result.plan && !result.plan->processes.empty() ? &result.plan->processes.front() : nullptr;
}

QString logDirOf(const PreviewResult &result)
{
    if (result.plan && !result.plan->emptyDirectory.isEmpty())
        return result.plan->emptyDirectory;
    const ProcessPlan *process = firstProcess(result);
    return process ? QFileInfo(process->logFile).path() : QString();
}

void addLimits(OptionGroup &options)
{
    const QString inherited = tr("as inherited");
    options.addNumber({{"--nice"}, tr("Nice"), tr("-20 to 19; more is less urgent.")},
                      common(&CommonOptions::nice), {-20, 19});
    options.addNumber({{"--memory-limit"}, tr("Memory limit"), tr("Address space of a process.")},
                      common(&CommonOptions::memoryLimitMiB), {0, 1 << 30, tr(" MiB"), inherited});
    options.addNumber({{"--open-files"}, tr("Open files"), tr("File descriptors of a process.")},
                      common(&CommonOptions::openFiles), {0, 1 << 30, {}, inherited});
    options.addText({{"--umask"}, tr("Umask"), tr("Octal, 000 to 777.")},
                    octalText(common(&CommonOptions::umask), QStringLiteral("--umask")), inherited);
}

/// Of one rank, to be edited.
QList<LinePreset> wrapperLines()
{
    QList<LinePreset> lines;
    for (const WrapperPreset &preset : wrapperPresets())
        lines << LinePreset{QStringLiteral("0:") + preset.name,
                            QStringLiteral("%1 (%2)").arg(preset.purpose, preset.command)};
    return lines;
}

} // namespace

void addWorkDir(OptionGroup &options)
{
    TextField *field = options.addPath({{"--work-dir"}, tr("&Work dir"), tr("Where every rank starts.")},
                                       at(&LaunchSpec::workDir), PathEdit::Kind::Directory,
                                       tr("Choose the work dir"), tr("the current directory"));
    field->onContext([field](const PreviewResult &result) {
        const ProcessPlan *process = firstProcess(result);
        field->setHelp(directoryHelp(tr("Where every rank starts"), result.spec.workDir,
                                     process ? process->workDir : QString()));
    });
}

void addLogDir(OptionGroup &options, const OptionWords &words, const QString &placeholder)
{
    TextField *field = options.addPath(words, at(&LaunchSpec::logDir), PathEdit::Kind::Directory,
                                       tr("Choose the log dir"), placeholder);
    field->onContext([field, help = words.help](const PreviewResult &result) {
        field->setHelp(directoryHelp(help, result.spec.logDir, logDirOf(result)));
    });
}

void addRunOptions(OptionGroup &options)
{
    TextField *name =
        options.addText({{"--name"}, tr("Run &name"), tr("What the run is called in the list.")},
                        TextForm::plain(at(&LaunchSpec::name)), tr("the script's name"));
    name->onContext([name](const PreviewResult &result) {
        name->setPlaceholder(result.plan && result.spec.name.isEmpty() ? result.plan->name
                                                                       : tr("the script's name"));
    });
    options.addLines(
        {{"--env"}, tr("&Environment"), tr("One NAME=value a line; wins over what the launcher sets.")},
        variablesText(), QStringLiteral("GLOG_v=2"));
    options.addText({{"--conda-env"}, tr("Conda en&v"), tr("Its name or its directory.")},
                    TextForm::plain(common(&CommonOptions::condaEnv)), tr("none"));
    options.addNumber({{"--grace"}, tr("Gr&ace"), tr("Between SIGTERM and SIGKILL.")},
                      at(&LaunchSpec::graceSeconds), {0, 3600, tr(" s")});
}

void addDestroy(OptionGroup &options)
{
    options.addSwitch(
        {{"--no-destroy"}, tr("Destro&y when finished"), tr("End the other ranks when one fails.")},
        at(&LaunchSpec::destroyWhenFinished));
}

void addRaise(OptionGroup &options)
{
    options.addSwitch(
        {{"--no-raise"}, tr("Raise on fail&ure"), tr("Open the error dialog by itself when a rank fails.")},
        at(&LaunchSpec::raiseOnFailure));
}

void addBindCore(OptionGroup &options, const QString &label)
{
    options.addText(
        {{"--bind-core"},
         label,
         tr("Cpus of each rank: False, True for equal shares, or {\"device0\":[\"0-10\"]} by local "
            "rank.")},
        TextForm::plain(common(&CommonOptions::bindCore)));
}

void addNodeOptions(OptionGroup &options)
{
    const auto nodes = [](auto NodeOptions::*value) {
        return at(&LaunchSpec::nodes, value);
    };
    options.addText({{"--nodes"},
                     tr("No&des"),
                     tr("a,b,c: hosts, addresses, names of ssh's configuration; the first is node 0. Slurm's "
                        "short forms in its allocations. All of the launch starts from here.")},
                    TextForm::plain(nodes(&NodeOptions::list)), tr("this node alone"));
    options.addChoice(
        {{"--transport"},
         tr("Transport"),
         tr("auto: Slurm in one of its allocations, else ssh where nodes are named. slurm elsewhere: the "
            "launch "
            "makes an allocation.")},
        nodes(&NodeOptions::transport),
        {QStringLiteral("auto"), QStringLiteral("local"), QStringLiteral("ssh"), QStringLiteral("slurm")});
    options.addPath({{"--ssh-config"}, tr("ssh config"), tr("A file in place of ssh's own configuration.")},
                    nodes(&NodeOptions::sshConfig), PathEdit::Kind::File, tr("Choose a configuration of ssh"),
                    tr("ssh's own"));
    options.addText({{"--node-program"}, tr("Program there"), tr("Path of rankdeckctl on the nodes.")},
                    TextForm::plain(nodes(&NodeOptions::program)),
                    tr("rankdeckctl in their PATH, else a copy"));
    options.addText({{"--slurm-options"},
                     tr("Slurm options"),
                     tr("Of salloc, for a launch that is not started in an allocation and makes its own.")},
                    TextForm::plain(nodes(&NodeOptions::slurmOptions)), QStringLiteral("-p npu -t 2:00:00"));
    options.addNumber({{"--slurm-wait"}, tr("Wait for Slurm"), tr("It must have given the nodes by then.")},
                      nodes(&NodeOptions::slurmWaitSeconds), {1, 2592000, tr(" s")});
    options.addNumber({{"--node-timeout"}, tr("Silence"), tr("A node silent for so long is lost.")},
                      nodes(&NodeOptions::silenceSeconds), {5, 3600, tr(" s")});
    options.addSwitch({{"--no-mirror"},
                       tr("Copy the nodes' logs here"),
                       tr("Where they share no folder with this machine. Else only those are copied that are "
                          "looked at, and those of ranks that fail.")},
                      nodes(&NodeOptions::mirror));
}

void addRareOptions(OptionGroup &options)
{
    options.addLines({{"--env-file"},
                      tr("Environment files"),
                      tr("Files of NAME=VALUE lines, one a line; of two the later wins.")},
                     linesText(common(&CommonOptions::envFiles)));
    options.addText({{"--unset-env"}, tr("Unset"), tr("Variables that no rank inherits, with blanks.")},
                    wordsText(common(&CommonOptions::unsetVariables)), QStringLiteral("http_proxy MS_ROLE"));
    options.addLines(
        {{"--rank-env"}, tr("Rank variables"), tr("One RANK:NAME=value a line; wins over the environment.")},
        variablesByRankText(common(&CommonOptions::rankEnvironment), QStringLiteral("--rank-env")),
        QStringLiteral("0:GLOG_v=1"));
    addLimits(options);
    options.addText({{"--tty"},
                     tr("Terminals"),
                     tr("Ranks that get a terminal to type into, for debuggers: all, none or 0-3,7.")},
                    TextForm::plain(common(&CommonOptions::terminals)), QStringLiteral("none"));
    options.addLines({{"--wrap"},
                      tr("Wrappers"),
                      tr("Ranks that another program starts, one RANKS:COMMAND a line, or one of the names "
                         "that Add has.")},
                     linesText(common(&CommonOptions::wrappers)), QStringLiteral("0:gdb"), wrapperLines());
    options.addText(
        {{"--prompt-pattern"},
         tr("Prompt"),
         tr("What the prompt of your own debugger looks like, a regular expression; those of pdb, "
            "ipdb, gdb and python are known.")},
        TextForm::plain(common(&CommonOptions::promptPattern)), QStringLiteral("\\(mydbg\\) "));
    options.addText(
        {{"--progress-pattern"},
         tr("Progress pattern"),
         tr("Where Rankdeck does not find steps and losses in the logs: a regular expression with "
            "groups named epoch, epochs, step, steps, loss, step_time_ms or step_time_s, "
            "throughput.")},
        TextForm::plain(common(&CommonOptions::progressPattern)),
        QStringLiteral("step (?P<step>\\d+) loss (?P<loss>\\S+)"));
    options.addNumber(
        {{"--stall-after"},
         tr("Stalled after"),
         tr("A rank that is silent for longer than this, and than is usual for it, is stalled.")},
        common(&CommonOptions::stallAfterSeconds), {0, 604800, tr(" s"), tr("never")});
    options.addNumber({{"--needs-hbm"},
                       tr("HBM needed"),
                       tr("What must be free on the NPU of each rank before the start.")},
                      common(&CommonOptions::neededHbmMb), {0, 1 << 20, tr(" MB"), tr("not checked")});
    options.addNumber({{"--sample-every"},
                       tr("Sample every"),
                       tr("NPUs and processes are sampled all the time, so that their history and alarms are "
                          "whole; else only while a window shows them.")},
                      common(&CommonOptions::sampleEverySeconds), {0, 3600, tr(" s"), tr("while shown")});
    options.addText({{"--dump-signal"},
                     tr("Dump signal"),
                     tr("USR1, USR2, HUP or QUIT, which the program gave to faulthandler.register().")},
                    TextForm::plain(common(&CommonOptions::dumpSignal)), tr("none"));
    options.addLines(
        {{"--before"}, tr("Before"), tr("Commands that run on each node before the first rank, one a line.")},
        commandsText(common(&CommonOptions::before), QStringLiteral("--before")));
    options.addLines({{"--after"}, tr("After"), tr("Commands that run after the last rank has ended.")},
                     commandsText(common(&CommonOptions::after), QStringLiteral("--after")));
}

} // namespace rankdeck

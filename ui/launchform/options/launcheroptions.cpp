#include "launchform/options/launcheroptions.h"

#include "base/listcomma.h"
#include "launch/planning/wrappers.h"
#include "launchform/options/optiontexts.h"
#include "launchform/options/tablecheckline.h"

#include <QFileInfo>

namespace rankdeck
{

static auto common(auto CommonOptions::*value)
{
    return at(&LaunchSpec::common, value);
}

static OptionWords option(const char *name, const QString &label, const QString &help)
{
    return {{name}, label, help};
}

/// Returns `text` with the absolute path that `typed` stands for, if that differs and is known.
static QString directoryHelp(const QString &text, const QString &typed, const QString &path)
{
    if (path.isEmpty() || path == typed || path.startsWith(QLatin1String(runDirectoryPlaceholder)))
        return tr("%1.").arg(text);
    return tr("%1: %2").arg(text, path);
}

static const ProcessPlan *firstProcess(const PreviewResult &result)
{
    return result.plan && !result.plan->processes.empty() ? &result.plan->processes.front() : nullptr;
}

static QString logDirOf(const PreviewResult &result)
{
    if (result.plan && !result.plan->emptyDirectory.isEmpty())
        return result.plan->emptyDirectory;
    const ProcessPlan *process = firstProcess(result);
    return process ? QFileInfo(process->logFile).path() : QString();
}

static void addLimits(OptionGroup &options)
{
    const QString inherited = tr("as inherited");
    options.addNumber(option("--nice", tr("Nice"), tr("-20 to 19; a higher value means a lower priority.")),
                      common(&CommonOptions::nice), {-20, 19});
    options.addNumber(
        option("--memory-limit", tr("Memory limit"), tr("Most address space for each process.")),
        common(&CommonOptions::memoryLimitMiB), {0, 1 << 30, tr(" MiB"), inherited});
    options.addNumber(option("--open-files", tr("Open files"), tr("Most file descriptors for each process.")),
                      common(&CommonOptions::openFiles), {0, 1 << 30, {}, inherited});
    options.addText(option("--umask", tr("Umask"), tr("Octal, 000 to 777.")),
                    octalText(common(&CommonOptions::umask), QStringLiteral("--umask")), inherited);
}

/// Returns the presets of --wrap, for rank 0; the user edits the rank.
static QList<LinePreset> wrapperLines()
{
    QList<LinePreset> lines;
    for (const WrapperPreset &preset : wrapperPresets())
        lines << LinePreset{QStringLiteral("0:") + preset.name, inBrackets(preset.purpose, preset.command)};
    return lines;
}

/// Returns "Completed: 8 devices on 1 server."
static QString tableSummary(const RankTable &table)
{
    const int devices = table.deviceCount();
    const int servers = int(table.servers.size());
    return tr("Completed: %1 on %2.", "8 devices on 1 server")
        .arg(tr("%n devices", "%n device", devices), tr("%n servers", "%n server", servers));
}

static QString tableHelp(const PreviewResult &result)
{
    if (!result.tableStatus.isEmpty())
        return tr("Not completed yet (%1): Launch waits for it.").arg(result.tableStatus);
    if (result.plan)
        return tableSummary(result.plan->rankTable);
    return tr("A rank table, or the directory that contains jobstart_hccl.json.");
}

static QString defaultTable(const PreviewResult &result)
{
    return result.defaultTableVariable.isEmpty()
               ? tr("default: %1").arg(result.defaultTablePath)
               : tr("from %1: %2").arg(result.defaultTableVariable, result.defaultTablePath);
}

static auto own(auto MsrunOptions::*value)
{
    return at(&LaunchSpec::msrun, value);
}

constexpr int mostWorkers = 1'000'000;

static void addCluster(OptionGroup &options)
{
    options.addNumber(option("--worker_num", tr("Ran&ks"), tr("Number of ranks on all nodes.")),
                      own(&MsrunOptions::workerNum), {1, mostWorkers});
    options.addNumber(
        option("--local_worker_num", tr("&Ranks on this node"), tr("Number of ranks on this node.")),
        own(&MsrunOptions::localWorkerNum), {1, mostWorkers});
    options.addText(option("--master_addr", tr("&Master address"),
                           tr("Name or IPv4 address of the scheduler's host. If that is this machine, the "
                              "scheduler starts here.")),
                    own(&MsrunOptions::masterAddr));
    options.addNumber(option("--master_port", tr("Master port"), tr("Port of the scheduler, 1024 to 65535.")),
                      own(&MsrunOptions::masterPort), {0, 65535});
    options.addNumber(option("--node_rank", tr("Node rank"), tr("Rank of this node, from 0.")),
                      own(&MsrunOptions::nodeRank), {-1, mostWorkers, {}, tr("not given")});
}

static void addRankTable(OptionGroup &options, TableCheckLine *tableCheck)
{
    TextField *table = options.addPath(
        {{"--rank_table_file", "--rank-table"}, tr("Rank table"), tr("RANK_TABLE_FILE of every process.")},
        at(&LaunchSpec::rankTableFile), PathKind::File, tr("Choose a rank table"), tr("none"));
    table->addLine(tableCheck, tableCheck->button());
    table->onContext([tableCheck](const PreviewResult &result) { tableCheck->setCheck(result.check); });
}

static void addWorkerLogs(OptionGroup &options)
{
    options.addText(
        option("--worker_log_name", tr("Log name"),
               tr("First part of each log's name, before _<rank>.log; may contain {ip} and {hostname}.")),
        own(&MsrunOptions::workerLogName), QStringLiteral("worker"));
    options.addText(option("--tail_worker_log", tr("Printed ranks"),
                           tr("Ranks whose output rankdeckctl prints, separated by commas; -1: all.")),
                    own(&MsrunOptions::tailWorkerLog));
}

static void addDryRun(OptionGroup &options)
{
    options.addNumber(option("--sim_level", tr("Dry run level"), tr("Dry run, 0 to 3.")),
                      own(&MsrunOptions::simLevel), {-1, 9, {}, tr("none")});
    options.addNumber(
        option("--sim_rank_id", tr("Dry run rank"), tr("The rank that a dry run starts; -1: all.")),
        own(&MsrunOptions::simRankId), {-1, mostWorkers, {}, tr("all")});
}

static auto own(auto ProcessesOptions::*value)
{
    return at(&LaunchSpec::processes, value);
}

constexpr int mostRanks = 1'000'000;

static void addGroup(OptionGroup &options)
{
    options.addNumber(option("--nproc", tr("&Ranks on this node"), tr("Number of ranks on this node.")),
                      own(&ProcessesOptions::nproc), {1, mostRanks});
    options.addNumber(option("--nnodes", tr("Nodes"), tr("Number of nodes.")), own(&ProcessesOptions::nnodes),
                      {1, mostRanks});
    options.addNumber(option("--node-rank", tr("Node ran&k"), tr("Rank of this node.")),
                      own(&ProcessesOptions::nodeRank), {0, mostRanks});
    options.addText(option("--master-addr", tr("&Master address"), tr("MASTER_ADDR, the host of rank 0.")),
                    own(&ProcessesOptions::masterAddr));
    options.addNumber(option("--master-port", tr("Master port"), tr("MASTER_PORT, 1 to 65535.")),
                      own(&ProcessesOptions::masterPort), {0, 65535});
}

static void addStreams(OptionGroup &options)
{
    const QString words = tr("NONE, OUT, ERR, ALL, or by local rank 0:OUT,1:ALL.");
    options.addText({{"--redirects", "redirects"},
                     tr("Streams to f&iles"),
                     tr("Streams redirected to files: %1").arg(words)},
                    streamsText(StreamsOption::Redirects));
    options.addText({{"--tee", "tee"},
                     tr("Files and terminal"),
                     tr("Streams redirected to files and printed by rankdeckctl: %1").arg(words)},
                    streamsText(StreamsOption::Tee));
}

static void addTorchrunOptions(OptionGroup &options)
{
    options.addSwitch(
        option("--standalone", tr("Single node, free port"), tr("Uses a free port as MASTER_PORT.")),
        own(&ProcessesOptions::standalone));
    options.addSwitch(option("--virtual-local-rank", tr("Only its own NPU"),
                             tr("Every rank has LOCAL_RANK 0 and sees only its own NPU.")),
                      own(&ProcessesOptions::virtualLocalRank));
    options.addText(option("--numa-binding", tr("Bind to NUMA nodes"),
                           tr("Binds each rank to the cpus of a node, socket or core-complex, or to cpus of "
                              "its own (exclusive).")),
                    own(&ProcessesOptions::numaBinding), tr("none"));
    options.addText(option("--local-ranks-filter", tr("Printed ranks"),
                           tr("Local ranks whose output rankdeckctl prints, separated by commas.")),
                    processesOptionText(QStringLiteral("--local-ranks-filter")), tr("all"));
    options.addText(
        option("--log-line-prefix-template", tr("Line prefix"),
               tr("Start of each printed line; may contain ${role_name}, ${local_rank} and ${rank}.")),
        own(&ProcessesOptions::linePrefixTemplate));
    options.addText(
        option(
            "--function", tr("Function"),
            tr("Function that each rank calls instead of a program: module:function or file.py:function.")),
        own(&ProcessesOptions::function));
}

static void addPerRank(OptionGroup &options)
{
    options.addLines(option("args", tr("Arguments by rank"),
                            tr("Arguments after the command, one line per local rank; all ranks or none.")),
                     argumentsByRankText(own(&ProcessesOptions::args), QStringLiteral("args")),
                     QStringLiteral("0: --lead\n1:"));
    options.addLines(option("envs", tr("Variables by rank"),
                            tr("Variables of a local rank, one per line; all ranks or none.")),
                     variablesByRankText(own(&ProcessesOptions::envs), QStringLiteral("envs")),
                     QStringLiteral("0:SEED=1\n1:SEED=2"));
}

static void addWorkDir(OptionGroup &options)
{
    TextField *field = options.addPath(
        option("--work-dir", tr("&Work directory"), tr("Directory in which every rank starts.")),
        at(&LaunchSpec::workDir), PathKind::Directory, tr("Choose the work directory"),
        tr("the current directory"));
    field->onContext([field](const PreviewResult &result) {
        const ProcessPlan *process = firstProcess(result);
        field->setHelp(directoryHelp(tr("Where every rank starts"), result.spec.workDir,
                                     process ? process->workDir : QString()));
    });
}

/// @param words its help ends without a full stop: a path may follow.
static void addLogDir(OptionGroup &options, const OptionWords &words, const QString &placeholder)
{
    TextField *field = options.addPath(words, at(&LaunchSpec::logDir), PathKind::Directory,
                                       tr("Choose the log directory"), placeholder);
    field->onContext([field, help = words.help](const PreviewResult &result) {
        field->setHelp(directoryHelp(help, field->text(), logDirOf(result)));
    });
}

/// Adds name, variables, conda environment, grace.
static void addRunOptions(OptionGroup &options)
{
    TextField *name =
        options.addText(option("--name", tr("Run &name"), tr("Name of the run in the run list.")),
                        at(&LaunchSpec::name), tr("the script's name"));
    name->onContext([name](const PreviewResult &result) {
        name->setPlaceholder(result.plan && result.spec.name.isEmpty() ? result.plan->name
                                                                       : tr("the script's name"));
    });
    options.addLines(
        option("--env", tr("&Environment"), tr("One NAME=value per line; overrides what the launcher sets.")),
        variablesText(), QStringLiteral("GLOG_v=2"));
    options.addText(
        option("--conda-env", tr("Conda en&vironment"), tr("Name or directory of the conda environment.")),
        common(&CommonOptions::condaEnv), tr("none"));
    options.addNumber(option("--grace", tr("Gr&ace"), tr("Time between SIGTERM and SIGKILL.")),
                      at(&LaunchSpec::graceSeconds), {0, 3600, tr(" s")});
}

static void addDestroy(OptionGroup &options)
{
    options.addSwitch(
        option("--no-destroy", tr("Stop other ranks on failure"), tr("End the other ranks when one fails.")),
        at(&LaunchSpec::destroyWhenFinished));
}

static void addRaise(OptionGroup &options)
{
    options.addSwitch(option("--no-raise", tr("Show error dialog on fail&ure"),
                             tr("Open the error dialog automatically when a rank fails.")),
                      at(&LaunchSpec::raiseOnFailure));
}

void addBindCore(OptionGroup &options, const QString &label)
{
    options.addText(option("--bind-core", label,
                           tr("Cpus of each rank: False, True for equal shares, or {\"device0\":[\"0-10\"]} "
                              "by local rank.")),
                    common(&CommonOptions::bindCore));
}

void addNodeOptions(OptionGroup &options)
{
    const auto nodes = [](auto NodeOptions::*value) {
        return at(&LaunchSpec::nodes, value);
    };
    options.addText(option("--nodes", tr("No&des"),
                           tr("Hosts, addresses or ssh aliases, separated by commas; the first is node 0. In "
                              "a Slurm allocation, ranges such as n[1-4] work too.")),
                    nodes(&NodeOptions::list), tr("this node only"));
    options.addChoice(
        option("--transport", tr("Transport"),
               tr("auto: Slurm inside an allocation, otherwise ssh. slurm: requests an allocation if there "
                  "is none. Or type a container: docker:NAME, podman:NAME, "
                  "kubectl:[NAMESPACE/]POD[:CONTAINER], ssh:HOST+docker:NAME. {node} stands for each node.")),
        nodes(&NodeOptions::transport),
        {QStringLiteral("auto"), QStringLiteral("local"), QStringLiteral("ssh"), QStringLiteral("slurm")},
        OptionGroup::Choice::OrTyped);
    options.addText(option("--transport-command", tr("Transport command"),
                           tr("A program that starts the words after its own on a node, in place of a "
                              "transport.")),
                    nodes(&NodeOptions::transportCommand), QStringLiteral("enroot exec {node}"));
    options.addPath(
        option("--ssh-config", tr("ssh config"), tr("File to use instead of ssh's own configuration.")),
        nodes(&NodeOptions::sshConfig), PathKind::File, tr("Choose an ssh configuration"), tr("ssh's own"));
    options.addText(option("--node-program", tr("Program there"), tr("Path of rankdeckctl on the nodes.")),
                    nodes(&NodeOptions::program), tr("rankdeckctl in their PATH, else a copy"));
    options.addText(option("--slurm-options", tr("Slurm options"),
                           tr("Options for salloc, if the launch requests its own allocation.")),
                    nodes(&NodeOptions::slurmOptions), QStringLiteral("-p npu -t 2:00:00"));
    options.addNumber(
        option("--slurm-wait", tr("Wait for Slurm"), tr("Time limit for Slurm to allocate the nodes.")),
        nodes(&NodeOptions::slurmWaitSeconds), {1, 2592000, tr(" s")});
    options.addNumber(option("--node-timeout", tr("Node timeout"),
                             tr("A node that does not respond for this long is considered lost.")),
                      nodes(&NodeOptions::silenceSeconds), {5, 3600, tr(" s")});
    options.addSwitch(option("--no-mirror", tr("Copy the nodes' logs here"),
                             tr("For nodes without a shared file system. Otherwise only logs that you open "
                                "and logs of failed ranks are copied.")),
                      nodes(&NodeOptions::mirror));
}

void addRareOptions(OptionGroup &options)
{
    options.addLines(option("--env-file", tr("Environment files"),
                            tr("Files with NAME=VALUE lines, one file per line; later files win.")),
                     linesText(common(&CommonOptions::envFiles)));
    options.addText(option("--unset-env", tr("Unset"), tr("Variables to unset, separated by spaces.")),
                    wordsText(common(&CommonOptions::unsetVariables)), QStringLiteral("http_proxy MS_ROLE"));
    options.addLines(
        option("--rank-env", tr("Rank variables"),
               tr("One RANK:NAME=value per line; overrides the environment.")),
        variablesByRankText(common(&CommonOptions::rankEnvironment), QStringLiteral("--rank-env")),
        QStringLiteral("0:GLOG_v=1"));
    addLimits(options);
    options.addText(option("--tty", tr("Terminals"),
                           tr("Ranks with a terminal to type into, e.g. for debuggers: all, none or 0-3,7.")),
                    common(&CommonOptions::terminals), QStringLiteral("none"));
    options.addLines(
        option("--wrap", tr("Wrappers"),
               tr("Run ranks under another program: one RANKS:COMMAND per line, or pick one with Add.")),
        linesText(common(&CommonOptions::wrappers)), QStringLiteral("0:gdb"), wrapperLines());
    options.addText(option("--prompt-pattern", tr("Prompt"),
                           tr("Regular expression for the prompt of your own debugger. Rankdeck knows pdb, "
                              "ipdb, gdb and python.")),
                    common(&CommonOptions::promptPattern), QStringLiteral("\\(mydbg\\) "));
    options.addText(
        option("--progress-pattern", tr("Progress pattern"),
               tr("Regular expression for steps and losses that Rankdeck does not find itself. Its groups "
                  "are named epoch, epochs, step, steps, loss, step_time_ms or step_time_s, throughput.")),
        common(&CommonOptions::progressPattern), QStringLiteral("step (?P<step>\\d+) loss (?P<loss>\\S+)"));
    options.addNumber(option("--stall-after", tr("Stalled after"),
                             tr("Reports a rank as stalled when it prints nothing for this long, and for "
                                "longer than is usual for it.")),
                      common(&CommonOptions::stallAfterSeconds), {0, 604800, tr(" s"), tr("never")});
    options.addNumber(option("--needs-hbm", tr("HBM needed"),
                             tr("Memory that must be free on each rank's NPU before the start.")),
                      common(&CommonOptions::neededHbmMb), {0, 1 << 20, tr(" MB"), tr("not checked")});
    options.addNumber(option("--sample-every", tr("Sample every"),
                             tr("Samples NPUs and processes continuously, for complete history and alarms. "
                                "Otherwise only while a window shows them.")),
                      common(&CommonOptions::sampleEverySeconds), {0, 3600, tr(" s"), tr("while shown")});
    options.addText(
        option("--dump-signal", tr("Dump signal"),
               tr("Signal that the program passed to faulthandler.register(): USR1, USR2, HUP or QUIT.")),
        common(&CommonOptions::dumpSignal), tr("none"));
    options.addChoice(
        option("--flight-recorder", tr("Flight recorder"),
               tr("Has torch and torch_npu record each rank's collectives: auto (where Python has one of "
                  "them), on or off. An old torch_npu ignores it; torch's monitor may abort a rank that is "
                  "silent for ten minutes and twice \"Stalled after\".")),
        common(&CommonOptions::flightRecorder),
        {QStringLiteral("auto"), QStringLiteral("on"), QStringLiteral("off")});
    options.addChoice(
        option("--ports", tr("Ports"),
               tr("auto: where a port that the launcher would use by itself is taken, a free one "
                  "is used, reserved for the run; fixed: the launcher's own.")),
        common(&CommonOptions::ports), {QStringLiteral("auto"), QStringLiteral("fixed")});
    options.addSwitch(
        option("--no-evidence", tr("Take evidence"),
               tr("Takes stacks and dumps of flight recorders at a stall, and before a failed run is "
                  "ended: five seconds at most.")),
        common(&CommonOptions::takesEvidence));
    options.addLines(option("--before", tr("Before"),
                            tr("Commands to run on each node before the first rank, one per line.")),
                     commandsText(common(&CommonOptions::before), QStringLiteral("--before")));
    options.addLines(option("--after", tr("After"), tr("Commands to run after the last rank has ended.")),
                     commandsText(common(&CommonOptions::after), QStringLiteral("--after")));
}

void addDavincirunOptions(OptionGroup &options, TableCheckLine *tableCheck)
{
    TextField *table =
        options.addPath(option("--rank-table", tr("&Rank table"), {}), at(&LaunchSpec::rankTableFile),
                        PathKind::File, tr("Choose a rank table"));
    table->addLine(tableCheck, tableCheck->button());
    table->onContext([table, tableCheck](const PreviewResult &result) {
        table->setPlaceholder(defaultTable(result));
        table->setHelp(tableHelp(result));
        tableCheck->setCheck(result.check);
    });
    addWorkDir(options);
    addLogDir(options, option("--log-dir", tr("Lo&g directory"), tr("Directory for the logs of the ranks")),
              tr("in the run directory"));

    options.addTitle(tr("Options"));
    addRunOptions(options);
    options.addText(option("--server", tr("Server"),
                           tr("This host's server in the rank table: its server_id or pod_name.")),
                    at(&LaunchSpec::server), tr("found by variables, addresses and name"));
    TextField *converted =
        options.addPath(option("--converted-rank-table", tr("Converted ta&ble"),
                               tr("File for a v0.1 table converted to v1.0; {run} is the run directory.")),
                        at(&LaunchSpec::convertedRankTable), PathKind::Directory,
                        tr("Choose a file for the converted table"));
    converted->onContext([converted](const PreviewResult &result) {
        converted->setPlaceholder(shownPath(result.defaultConvertedPath));
    });
    options.addNumber(option("--wait", tr("Wa&it limit"),
                             tr("Time to wait for a rank table that is missing or not completed.")),
                      at(&LaunchSpec::rankTableWaitSeconds), {0, 86400, tr(" s")});
    options.addSwitch(option("--no-random-cache-dir", tr("Rando&m compiler cache"),
                             tr("Uses a fresh MS_COMPILER_CACHE_PATH and removes it at the end.")),
                      at(&LaunchSpec::randomCacheDir));
    addDestroy(options);
    addRaise(options);
}

void addMsrunOptions(OptionGroup &options, TableCheckLine *tableCheck)
{
    addCluster(options);
    addWorkDir(options);
    addLogDir(options, option("--log_dir", tr("Lo&g directory"), tr("Log directory (replaces earlier logs)")),
              tr("the current directory"));

    options.addTitle(tr("Options"));
    addRunOptions(options);
    constexpr int week = 7 * 86400;
    options.addNumber(
        option("--cluster_time_out", tr("Cluster t&imeout"), tr("Time for the cluster to form.")),
        own(&MsrunOptions::clusterTimeOut), {-1, week, tr(" s"), tr("no limit")});
    addRankTable(options, tableCheck);
    addBindCore(options, tr("&Bind to CPUs"));
    options.addText(option("--bind_numa", tr("Bind to NUMA nodes"),
                           tr("NUMA nodes of ranks: False, True for equal shares, or JSON such as "
                              "{\"device0\":[\"0\"]}.")),
                    own(&MsrunOptions::bindNuma));
    addWorkerLogs(options);
    addDryRun(options);
    addDestroy(options);
    addRaise(options);
}

void addProcessesOptions(OptionGroup &options)
{
    addGroup(options);
    addWorkDir(options);
    addLogDir(options,
              option("--log-dir", tr("Lo&g directory"), tr("An empty directory for <local rank>/stdout.log")),
              tr("in the run directory"));

    options.addTitle(tr("Options"));
    addRunOptions(options);
    options.addText(option("--role", tr("Role"), tr("ROLE_NAME of every rank.")),
                    own(&ProcessesOptions::role));
    addStreams(options);
    options.addNumber(option("--max-restarts", tr("Ma&x. restarts"),
                             tr("How often all ranks may be restarted when one fails.")),
                      own(&ProcessesOptions::maxRestarts), {0, 1000});
    addPerRank(options);
    addTorchrunOptions(options);
    addRaise(options);
}

void addWrapOptions(OptionGroup &options)
{
    addWorkDir(options);
    addLogDir(options, option("--log-dir", tr("Lo&g directory"), tr("A directory for console.log")),
              tr("in the run directory"));
    addRaise(options);
}

} // namespace rankdeck

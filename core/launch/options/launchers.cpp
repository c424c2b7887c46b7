#include "launch/options/launchers.h"

#include "base/listcomma.h"
#include "launch/planning/planners.h"
#include "launch/text/commandline.h"

#include <algorithm>

namespace rankdeck
{

/// Returns the planner of a launcher that uses no rank table.
template <Result<LaunchPlan> (*plan)(const LaunchSpec &, const HostFacts &)>
static Result<LaunchPlan> withoutTable(const LaunchSpec &spec, const RankTable &, const QString &,
                                       const HostFacts &facts)
{
    return plan(spec, facts);
}

static int nodesByWorkers(const LaunchSpec &spec)
{
    const int perNode = std::max(1, spec.msrun.localWorkerNum);
    return std::max(1, (spec.msrun.workerNum + perNode - 1) / perNode);
}

std::span<const Launcher> launchers()
{
    static constexpr char anyCommand[] =
        QT_TR_NOOP("The program every rank runs. Quotes group words, as in a shell.");
    static constexpr Launcher table[] = {
        // Source of the defaults: davincirunsdk 0.1.6.
        {.name = "davincirun",
         .defaults = [] { return LaunchSpec(); },
         .rows = davincirunRows,
         .plan = planDavincirun,
         .needsRankTable = true,
         .replacesLocalRank = true,
         .nodeRule = NodeRule::ByRankTable,
         .programs = "davincirun davincirun.py",
         .peerLine = PeerLine::LauncherAndCommand,
         .command = QT_TR_NOOP("the command"),
         .commandHelp = anyCommand,
         .about = QT_TR_NOOP("one process for each device of this node"),
         .arguments = "[OPTIONS] COMMAND…",
         .summary = QT_TR_NOOP("launch one process for each device of this node"),
         .description = QT_TR_NOOP(
             "Waits for the rank table, converts it, starts COMMAND once for each device of this node, "
             "and waits. The environment's python runs a .py file. davincirun creates the work directory. "
             "It prints which server of the rank table this host is, and why. Ctrl-C stops the run."),
         .example = "rankdeckctl davincirun --rank-table rank_table.json train.py"},
        // Source: MindSpore, mindspore/parallel/cluster/run.py (mid-2025 master).
        {.name = "msrun",
         .defaults = msrunDefaults,
         .rows = msrunRows,
         .plan = withoutTable<planMsrun>,
         .nodeRule = NodeRule::ByWorkerNumber,
         .nodeCount = nodesByWorkers,
         .masterPort = fieldOf<&MsrunOptions::masterPort>,
         .masterPortVariable = "MS_SCHED_PORT",
         .programs = "msrun",
         .modules = "mindspore.parallel.cluster.run",
         .frontRule = FrontRule::BeforeRank, // It puts Python in front of a command that is not Python.
         .peerLine = PeerLine::SameOptions,
         .problem = problemWithMsrunOptions,
         .command = QT_TR_NOOP("the script"),
         .commandHelp = QT_TR_NOOP("A .py script, or python, python3 or pytest with arguments."),
         .about = QT_TR_NOOP("MindSpore's scheduler and this node's workers"),
         .arguments = "[OPTIONS] SCRIPT…",
         .summary = QT_TR_NOOP("launch as msrun of MindSpore does"),
         .description = QT_TR_NOOP(
             "Starts the workers of this node as msrun does, and on the master node the scheduler. "
             "SCRIPT is a .py file for the environment's python, or python, python3 or pytest with "
             "its arguments. Without --join=True it prints the run's name and returns, as with "
             "--detach; Rankdeck watches the run in the background. With --join=True it waits, and "
             "Ctrl-C stops the run."),
         .example = "rankdeckctl msrun --worker_num=8 --local_worker_num=8 --join=True train.py"},
        {.name = "torchrun",
         .spelling = "processes",
         .defaults = processesDefaults,
         .rows = processesRows,
         .programs = "torchrun torch_npu_run", // The second one has another store.
         .modules = "torch.distributed.run torch.distributed.launch",
         .command = QT_TR_NOOP("the script"),
         .commandHelp = anyCommand,
         .about = "",
         .arguments = "[OPTIONS] SCRIPT…",
         .summary = QT_TR_NOOP("launch a command line of torchrun"),
         .description = QT_TR_NOOP(
             "Takes torchrun's options and prints what differs: there is no rendezvous, so each node "
             "needs --node-rank. It starts the ranks as \"rankdeckctl processes\" does, with "
             "torchrun's environment. Ctrl-C stops the run. torchrun's variables PET_NNODES, "
             "PET_NPROC_PER_NODE … count as its options."),
         .example = "rankdeckctl torchrun --nproc_per_node=8 train.py --epochs 3"},
        // Source: torch.distributed.run (1.13 and master).
        {.name = "processes",
         .defaults = processesDefaults,
         .rows = processesRows,
         .synonyms = "--nproc-per-node --nproc -r --redirects -t --tee",
         .plan = withoutTable<planProcesses>,
         .replacesLocalRank = true,
         .nodeRule = NodeRule::ByNodeRank,
         .nodeCount = [](const LaunchSpec &spec) { return std::max(1, spec.processes.nnodes); },
         .masterPort = fieldOf<&ProcessesOptions::masterPort>,
         .masterPortVariable = "MASTER_PORT",
         .sharingRanks = fieldOf<&ProcessesOptions::nproc>,
         .peerLine = PeerLine::Torchrun,
         .command = QT_TR_NOOP("the command"),
         .commandHelp = anyCommand,
         .about = QT_TR_NOOP("as torchrun: ranks of this node, no rank table"),
         .arguments = "[OPTIONS] -- COMMAND…\nSPEC.json",
         .summary = QT_TR_NOOP("launch any command as torchrun would"),
         .description = QT_TR_NOOP(
             "Starts COMMAND once for each local rank with torchrun's environment, and waits. "
             "${local_rank} in an argument becomes the local rank.\nSPEC.json holds what "
             "start_processes of torch takes: name, entrypoint (a program, or a function of Python "
             "as \"module:function\" or \"file.py:function\"), args and envs by local rank, log_dir "
             "…\nThe signals of --signals-to-handle, Ctrl-C, and the end of this command end the "
             "ranks. With --detach the ranks live on. torchrun's variables PET_NNODES, "
             "PET_NPROC_PER_NODE … count as its options. With --redirects 0 the ranks print to the "
             "console, as with torchrun; Rankdeck keeps a log too."),
         .example = "rankdeckctl processes --nproc 8 -- python3 train.py"},
        {.name = "wrap",
         .defaults = wrapDefaults,
         .rows = wrapRows,
         .plan = withoutTable<planWrap>,
         .frontRule = FrontRule::BeforeCommand, // It starts no rank itself.
         .command = QT_TR_NOOP("the command"),
         .commandHelp = QT_TR_NOOP("The launcher or script that starts the ranks."),
         .about = QT_TR_NOOP("any other launcher or script, watched as it is"),
         .arguments = "[OPTIONS] -- COMMAND…",
         .summary = QT_TR_NOOP("launch another launcher or a script, and watch it"),
         .description = QT_TR_NOOP(
             "Starts COMMAND once, such as deepspeed, accelerate, swift, mpirun or a script that starts "
             "ranks, and waits. One log holds the output of COMMAND and its ranks, which are "
             "watched as they are found. When COMMAND ends, Rankdeck ends everything "
             "that it left running, so a script must wait for its ranks. Ctrl-C stops the run."),
         .example = "rankdeckctl wrap -- bash run.sh"},
    };
    return table;
}

const Launcher *findLauncher(const QString &name)
{
    const auto table = launchers();
    const auto found = std::ranges::find_if(
        table, [&](const Launcher &launcher) { return name == QLatin1String(launcher.name); });
    return found == table.end() ? nullptr : &*found;
}

QStringList launcherNames()
{
    QStringList names;
    for (const Launcher &launcher : launchers()) {
        if (!launcher.spelling)
            names << QLatin1String(launcher.name);
    }
    return names;
}

QStringList launcherWords()
{
    return listOf(launchers(), [&](const Launcher &launcher) { return QString::fromLatin1(launcher.name); });
}

QString anyOf(QStringList names)
{
    const QString last = names.takeLast();
    return names.isEmpty() ? last : tr("%1 or %2").arg(names.join(nameComma()), last);
}

LaunchSpec msrunDefaults()
{
    LaunchSpec spec;
    spec.launcher = u"msrun"_s;
    spec.logDir.clear();
    spec.randomCacheDir = false;
    return spec;
}

Result<LaunchCommandLine> launcherCommandLine(const QString &name)
{
    const Launcher *launcher = findLauncher(name);
    if (!launcher || launcher->spelling)
        return Error{tr("unknown launcher \"%1\"").arg(name), u"launcher"_s,
                     tr("Use %1.").arg(anyOf(launcherNames()))};
    LaunchCommandLine line;
    line.defaults = launcher->defaults();
    line.commandName = tr(launcher->command);
    line.problem = launcher->problem;
    line.own = launchOptions(launcher->rows(), line.defaults);
    line.common = launchOptions(commonRows(), line.defaults);
    // A launcher may spell one of them differently.
    for (const OptionRow &row : commonRows()) {
        if (haveFieldOf(launcher->rows(), row))
            std::erase_if(line.common, [&](const LaunchOption &option) { return option.name == row.name(); });
    }
    const QStringList synonyms = namesIn(launcher->synonyms);
    for (qsizetype index = 0; index + 1 < synonyms.size(); index += 2)
        line.synonym.insert(synonyms[index], synonyms[index + 1]);
    return line;
}

} // namespace rankdeck

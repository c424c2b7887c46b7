#include "launch/planning/planners.h"

#include "launch/plan/attempt.h"
#include "launch/planning/commonplan.h"
#include "launch/planning/launchbasics.h"
#include "launch/planning/pythonfunction.h"
#include "launch/planning/torchrunrules.h"
#include "launch/spec/optionrows.h"

namespace rankdeck
{

namespace
{

std::optional<Error> problemWithNumbers(const LaunchSpec &spec)
{
    const ProcessesOptions &options = spec.processes;
    if (const auto error = outOfRange(processesRows(), spec))
        return error;
    if (const auto error = outOfRange(u"--node-rank"_s, options.nodeRank, {0, options.nnodes - 1}))
        return error;
    if (options.masterAddr.trimmed().isEmpty())
        return Error{tr("the address of rank 0's node is empty"), u"--master-addr"_s,
                     tr("Give a host name or an address.")};
    if (options.standalone && options.nnodes > 1)
        return Error{tr("this is for one node, but --nnodes says %1").arg(options.nnodes), u"--standalone"_s,
                     tr("Remove one of the two.")};
    return std::nullopt;
}

/// torch's "local rank mapping mismatch", with the ranks that make it one.
template <typename T>
std::optional<Error> problemWithKeys(const QMap<int, T> &map, int nproc, const char *name, bool mustBeWhole)
{
    QStringList superfluous;
    QStringList missing;
    for (auto it = map.begin(); it != map.end(); ++it) {
        if (it.key() < 0 || it.key() >= nproc)
            superfluous << QString::number(it.key());
    }
    for (int localRank = 0; mustBeWhole && !map.isEmpty() && localRank < nproc; ++localRank) {
        if (!map.contains(localRank))
            missing << QString::number(localRank);
    }
    constexpr int shown = 8;
    const auto list = [](const QStringList &ranks) {
        const QString text = ranks.mid(0, shown).join(", "_L1);
        return ranks.size() > shown ? tr("%1 and %2 more").arg(text).arg(ranks.size() - shown) : text;
    };
    QStringList parts;
    if (!missing.isEmpty())
        parts << tr("local rank %1 is missing").arg(list(missing));
    if (!superfluous.isEmpty())
        parts << tr("local rank %1 does not exist").arg(list(superfluous));
    if (parts.isEmpty())
        return std::nullopt;
    return Error{
        tr("%1, with %n ranks on this node", "%1, with %n rank on this node", nproc).arg(parts.join(", "_L1)),
        QLatin1String(name), tr("Name each local rank from 0 to %1.").arg(nproc - 1)};
}

std::optional<Error> problemWithMaps(const ProcessesOptions &options)
{
    if (const auto error = problemWithKeys(options.args, options.nproc, "args", true))
        return error;
    if (const auto error = problemWithKeys(options.envs, options.nproc, "envs", true))
        return error;
    for (auto rank = options.envs.begin(); rank != options.envs.end(); ++rank) {
        for (auto it = rank->begin(); it != rank->end(); ++it) {
            if (!isVariableName(it.key()))
                return Error{tr("\"%1\" is not the name of a variable").arg(it.key()),
                             u"envs.%1"_s.arg(rank.key()),
                             {}};
        }
    }
    if (const auto error = problemWithKeys(options.redirects, options.nproc, "redirects", false))
        return error;
    if (const auto error = problemWithKeys(options.linePrefixes, options.nproc, "log_line_prefixes", false))
        return error;
    return problemWithKeys(options.tee, options.nproc, "tee", false);
}

/// Data that the ranks of the node share.
struct NodeContext {
    const LaunchSpec &spec;
    const HostFacts &facts;
    const LaunchPlan &plan;
    QString logDir;
    QString runLogDir; ///< For what is not redirected.
    QString workDir;
    QString restartCount;   ///< Or attemptPlaceholder.
    QStringList devices;    ///< With --virtual-local-rank: of each local rank.
    QList<QList<int>> cpus; ///< With --numa-binding: of each local rank.
    QString prefixTemplate; ///< Empty: torch's own.

    const ProcessesOptions &options() const { return spec.processes; }
    int worldSize() const { return options().nproc * options().nnodes; }
    /// Returns true if OMP_NUM_THREADS must be set, as torchrun does unless the user sets it.
    bool setsThreads() const
    {
        const QString name = u"OMP_NUM_THREADS"_s;
        return options().nproc > 1 && !facts.environment.contains(name) && !spec.environment.contains(name);
    }
};

QMap<QString, QString> variablesFor(const NodeContext &node, int localRank, int rank)
{
    const ProcessesOptions &options = node.options();
    const auto number = [](int value) {
        return QString::number(value);
    };
    QMap<QString, QString> variables{
        {u"LOCAL_RANK"_s, number(localRank)},
        {u"RANK"_s, number(rank)},
        {u"GROUP_RANK"_s, number(options.nodeRank)},
        {u"ROLE_RANK"_s, number(rank)},
        {u"ROLE_NAME"_s, options.role},
        {u"LOCAL_WORLD_SIZE"_s, number(options.nproc)},
        {u"WORLD_SIZE"_s, number(node.worldSize())},
        {u"GROUP_WORLD_SIZE"_s, number(options.nnodes)},
        {u"ROLE_WORLD_SIZE"_s, number(node.worldSize())},
        {u"MASTER_ADDR"_s, options.masterAddr},
        {u"MASTER_PORT"_s, number(options.masterPort)},
        {QLatin1String(restartCountVariable), node.restartCount},
        {u"TORCHELASTIC_MAX_RESTARTS"_s, number(options.maxRestarts)},
        {u"TORCHELASTIC_RUN_ID"_s, node.plan.jobId},
        {u"TORCHELASTIC_USE_AGENT_STORE"_s, u"False"_s},
    };
    const auto setUnlessSet = [&](const QString &name, const QString &value) {
        if (!node.facts.environment.contains(name))
            variables.insert(name, value);
    };
    setUnlessSet(u"TORCH_NCCL_ASYNC_ERROR_HANDLING"_s, u"1"_s);
    setUnlessSet(u"PYTHONUNBUFFERED"_s, u"1"_s);
    setUnlessSet(u"TORCHELASTIC_SIGNALS_TO_HANDLE"_s, u"SIGTERM,SIGINT,SIGHUP,SIGQUIT"_s);
    if (!options.signalsToHandle.isEmpty())
        variables.insert(u"TORCHELASTIC_SIGNALS_TO_HANDLE"_s, options.signalsToHandle);
    if (node.setsThreads())
        variables.insert(u"OMP_NUM_THREADS"_s, u"1"_s);
    if (options.virtualLocalRank) {
        variables.insert(u"LOCAL_RANK"_s, u"0"_s);
        variables.insert(u"ASCEND_RT_VISIBLE_DEVICES"_s, node.devices.value(localRank));
    }
    variables.insert(node.spec.environment);
    variables.insert(options.envs.value(localRank));
    return variables;
}

QStringList argumentsFor(const NodeContext &node, int localRank)
{
    const ProcessesOptions &options = node.options();
    const QStringList arguments = options.args.value(localRank);
    return withLocalRank(node.spec.command + (options.function.isEmpty()
                                                  ? arguments
                                                  : pythonFunctionArguments(options.function, arguments)),
                         localRank);
}

ProcessPlan processFor(const NodeContext &node, int localRank)
{
    const ProcessesOptions &options = node.options();
    const int rank = options.nodeRank * options.nproc + localRank;
    ProcessPlan process;
    process.rank = Rank(rank);
    process.localRank = LocalRank(localRank);
    process.node = node.plan.thisNode;
    process.device = ProcessPlan::noDevice;
    process.argv = argumentsFor(node, localRank);
    process.workDir = node.workDir;

    const Streams redirect = options.redirectOf(localRank);
    const QString folder = u"%1/%2"_s.arg(node.logDir).arg(localRank);
    const QString common = u"%1/rank-%2.log"_s.arg(node.runLogDir).arg(rank);
    process.logFile = contains(redirect, Streams::Out) ? folder + u"/stdout.log"_s : common;
    process.stderrFile = contains(redirect, Streams::Error) ? folder + u"/stderr.log"_s : common;
    if (process.stderrFile == process.logFile)
        process.stderrFile.clear();
    process.makeDirectories << folder;
    if (redirect != Streams::All || !options.function.isEmpty())
        process.makeDirectories << node.runLogDir;
    process.console = with(options.teeOf(localRank), without(Streams::All, redirect));
    if (!options.localRanksFilter.isEmpty() && !options.localRanksFilter.contains(localRank))
        process.console = Streams::None;
    const QString name = node.spec.name.isEmpty() ? options.role : node.spec.name;
    process.consolePrefix =
        options.linePrefixes.contains(localRank)
            ? options.linePrefixes.value(localRank)
            : linePrefix(node.prefixTemplate, {name, options.role, localRank, rank, node.plan.thisNode});
    process.cpus = node.cpus.value(localRank);

    process.setVariables = variablesFor(node, localRank, rank);
    // Set last, as in torch: it is how Rankdeck hears what went wrong.
    process.setVariables.insert(QLatin1String(errorFileVariable), folder + u"/error.json"_s);
    if (!options.function.isEmpty())
        process.setVariables.insert(QLatin1String(returnFileVariable),
                                    u"%1/rank-%2.return.json"_s.arg(node.runLogDir).arg(rank));
    return process;
}

} // namespace

/// Returns `spec` with what only the node knows: how many ranks "auto" means, and a port that is free.
static Result<LaunchSpec> settledOnNode(LaunchSpec spec, const HostFacts &facts, QList<Sentence> &notes)
{
    ProcessesOptions &options = spec.processes;
    if (!options.nprocOf.isEmpty()) {
        if (const auto error = setFrom(options.nproc, countedRanks(spec, facts, notes)))
            return *error;
    }
    if (options.standalone) {
        options.masterAddr = u"127.0.0.1"_s;
        options.masterPort = facts.freePort > 0 ? facts.freePort : options.masterPort;
    }
    return spec;
}

/// @param spec as settledOnNode() returns it, with its notes.
static Result<LaunchPlan> planSettled(const LaunchSpec &spec, const HostFacts &facts, QList<Sentence> notes)
{
    if (const auto error = problemWithNumbers(spec))
        return *error;
    if (const auto error = problemWithMaps(spec.processes))
        return *error;

    LaunchPlan plan = planBeginning(u"processes"_s, spec);
    plan.thisNode = facts.hostName;
    plan.rankTable.status = u"completed"_s;
    plan.totalRanks = spec.processes.nproc * spec.processes.nnodes;
    if (!spec.logDir.isEmpty())
        plan.emptyDirectory = absoluteLaunchPath(spec.logDir, facts);
    plan.maxRestarts = spec.processes.maxRestarts;
    const bool restarts = plan.maxRestarts > 0;
    const QString attempt = QLatin1String(restarts ? attemptPlaceholder : "0");
    const QString folder = restarts ? '/'_L1 + attemptFolder(attempt) : QString();
    const QString runLogDir = inRunDirectory(u"/logs"_s) + folder;
    const QString logDir = spec.logDir.isEmpty() ? runLogDir : plan.emptyDirectory + folder;
    const auto devices = devicesByLocalRank(spec, facts);
    if (!devices)
        return devices.error();
    const auto cpus = cpusByLocalRank(spec, facts, notes);
    if (!cpus)
        return cpus.error();
    const NodeContext node{spec,      facts,
                           plan,      logDir,
                           runLogDir, absoluteWorkDir(spec, facts),
                           attempt,   *devices,
                           *cpus,     linePrefixTemplate(spec, facts)};
    std::vector<ProcessPlan> processes;
    for (int localRank = 0; localRank < spec.processes.nproc; ++localRank)
        processes.push_back(processFor(node, localRank));
    plan.notes << notes;
    if (node.setsThreads())
        plan.notes
            << Sentence::tr(
                   "OMP_NUM_THREADS is 1 in every rank, so that %1 ranks do not overload this node. To "
                   "use more, set it yourself.")
                   .arg(spec.processes.nproc);
    if (restarts && spec.processes.nnodes > 1)
        plan.notes << Sentence::tr(
            "A failure here restarts only the ranks of this node. Other nodes restart their "
            "ranks when those fail too, if launched with --max-restarts.");
    plan.processes = std::move(processes);
    return plan;
}

Result<LaunchPlan> planProcesses(const LaunchSpec &spec, const HostFacts &facts)
{
    if (const auto error = problemWithBasics(spec))
        return *error;
    QList<Sentence> notes;
    const auto settled = settledOnNode(spec, facts, notes);
    return settled ? planSettled(*settled, facts, notes) : Result<LaunchPlan>(settled.error());
}

} // namespace rankdeck

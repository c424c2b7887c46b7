#include "base/listcomma.h"
#include "launch/planning/planners.h"

#include "launch/planning/commonplan.h"
#include "launch/planning/launchbasics.h"
#include "launch/planning/numabinding.h"
#include "launch/spec/optionrows.h"
#include "ranktable/reading/ranktablereader.h"

#include <QRegularExpression>

#include <algorithm>

namespace rankdeck
{

namespace
{

/// The cluster that an msrun launch belongs to, and this node's place in it, after all defaults and dry-run
/// rules.
struct MsrunCluster {
    int workers = 0;
    int localWorkers = 0;
    int rankSize = 0;
    int nodeRank = -1;       ///< -1: MindSpore numbers the ranks once the cluster has formed.
    QString simulationLevel; ///< Empty: no dry run.
    int simulatedRank = -1;  ///< -1: as for a real run.
    QString masterAddress;
    QString ownAddress; ///< Towards the master.
    bool isMaster = false;
    bool hasLoopbackMaster = false; ///< Other nodes cannot reach the master.

    bool isSimulation() const { return !simulationLevel.isEmpty(); }
    bool isWhole() const { return localWorkers == workers; }
    bool hasOtherNodes() const { return !isWhole() && !isSimulation(); }
    bool knowsRanks() const { return isWhole() || nodeRank >= 0; }
    int rankOf(int index) const
    {
        return isWhole() || nodeRank < 0 ? index : nodeRank * localWorkers + index;
    }
};

std::optional<Error> problemWithLogName(const QString &name)
{
    static const QRegularExpression wrong(u"[/\\x00-\\x1f\\x7f]"_s);
    if (!name.contains(wrong))
        return std::nullopt;
    return Error{tr("\"%1\" is not a file name").arg(name), u"--worker_log_name"_s,
                 tr("Remove slashes and control characters; --log_dir names the directory.")};
}

std::optional<Error> problemWithTail(const QString &ranks)
{
    static const QRegularExpression list(u"^(-1|\\d{1,9}(,\\d{1,9})*)$"_s);
    if (list.match(ranks).hasMatch())
        return std::nullopt;
    return Error{tr("\"%1\" is not a list of ranks").arg(ranks), u"--tail_worker_log"_s,
                 tr("Write -1 for all, or comma-separated ranks, e.g. 0,7.")};
}

/// More workers than this are not started in a dry run.
constexpr int mostSimulatedWorkers = 128;

std::optional<Error> simulate(MsrunCluster &cluster, const MsrunOptions &msrun,
                              const QProcessEnvironment &environment, QList<Sentence> &notes)
{
    const QString leftLevel = environment.value(u"MS_SIMULATION_LEVEL"_s);
    if (msrun.simLevel != -1)
        cluster.simulationLevel = QString::number(msrun.simLevel);
    else if (!leftLevel.isEmpty())
        cluster.simulationLevel = leftLevel;
    if (!cluster.isSimulation()) {
        if (msrun.simRankId != MsrunOptions().simRankId)
            notes << Sentence::tr("--sim_rank_id is ignored: without --sim_level this is no dry run.");
        return std::nullopt;
    }
    const auto variable = [&](const char *name, int otherwise) -> Result<int> {
        const QString text = environment.value(QLatin1String(name));
        bool isNumber = false;
        const int number = text.toInt(&isNumber);
        if (text.isEmpty())
            return otherwise;
        if (!isNumber)
            return Error{tr("\"%1\" is not a whole number, which a dry run needs").arg(text),
                         QLatin1String(name), tr("Unset it.")};
        return number;
    };
    cluster.simulatedRank = msrun.simRankId;
    const bool isByEnvironment = msrun.simLevel == -1;
    const bool isDefaultRank = msrun.simRankId == MsrunOptions().simRankId;
    // Where the environment asks for the dry run, msrun takes the rank from there too, else all ranks.
    if (isByEnvironment && (isDefaultRank || msrun.simRankId == -1)) {
        const auto rank = variable("RANK_ID", -1);
        if (!rank)
            return rank.error();
        cluster.simulatedRank = *rank;
    }
    if (!isByEnvironment && isDefaultRank && cluster.workers > 1)
        notes << Sentence::tr(
                     "This dry run starts one process, rank 0 of %1. Select another rank with --sim_rank_id, "
                     "or all ranks of this node with --sim_rank_id=-1.")
                     .arg(cluster.workers);
    if (isByEnvironment) {
        notes << Sentence::tr("MS_SIMULATION_LEVEL is set in this environment, so this is a dry run.");
        const auto size = variable("RANK_SIZE", cluster.workers);
        if (!size)
            return size.error();
        if (*size < 1)
            return Error{tr("%1 ranks cannot be simulated").arg(*size), u"RANK_SIZE"_s, tr("Unset it.")};
        cluster.rankSize = *size;
    }
    if (cluster.simulatedRank >= cluster.rankSize || cluster.simulatedRank < -1)
        return Error{tr("no rank %1 among %2").arg(cluster.simulatedRank).arg(cluster.rankSize),
                     isByEnvironment ? u"RANK_ID"_s : u"--sim_rank_id"_s,
                     tr("Give 0 to %1.").arg(cluster.rankSize - 1)};
    if (cluster.simulatedRank != -1) {
        cluster.localWorkers = 1;
    } else if (cluster.localWorkers > mostSimulatedWorkers) {
        cluster.localWorkers = 1;
        cluster.simulatedRank = 0;
        notes << Sentence::tr("A dry run starts at most %1 workers per node. Only rank 0 is started.")
                     .arg(mostSimulatedWorkers);
    }
    return std::nullopt;
}

std::optional<Error> placeRanks(MsrunCluster &cluster, QList<Sentence> &notes)
{
    if (cluster.localWorkers > cluster.workers)
        return Error{
            tr("%1 workers of this node are more than the %2 of all nodes")
                .arg(cluster.localWorkers)
                .arg(cluster.workers),
            u"--local_worker_num"_s,
            tr("Give --local_worker_num=%1 or less, or a larger --worker_num.").arg(cluster.workers)};
    if (cluster.isWhole()) {
        if (cluster.nodeRank > 0)
            notes << Sentence::tr("--node_rank %1 is ignored: all workers are on this node.")
                         .arg(cluster.nodeRank);
        return std::nullopt;
    }
    if (cluster.isSimulation() && cluster.simulatedRank != -1)
        return std::nullopt;
    if (cluster.nodeRank < 0) {
        notes << Sentence::tr(
            "--node_rank is not given: MindSpore numbers the ranks when the cluster forms. Logs are "
            "numbered by device.");
        return std::nullopt;
    }
    const int nodes = cluster.workers / cluster.localWorkers;
    if (cluster.nodeRank >= nodes)
        return Error{tr("%1 is out of range: %2 workers, %3 per node, run on %4 nodes")
                         .arg(cluster.nodeRank)
                         .arg(cluster.workers)
                         .arg(cluster.localWorkers)
                         .arg(nodes),
                     u"--node_rank"_s, tr("Give 0 to %1.").arg(nodes - 1)};
    if (cluster.workers % cluster.localWorkers != 0)
        notes
            << Sentence::tr(
                   "%1 workers cannot be divided into nodes with %2 workers. Ranks are numbered as if every "
                   "node had %2.")
                   .arg(cluster.workers)
                   .arg(cluster.localWorkers);
    return std::nullopt;
}

std::optional<Error> findMaster(MsrunCluster &cluster, const QString &name, const HostFacts &facts)
{
    const QHostAddress written(name);
    const HostRoute route = facts.routes.value(name);
    if (!route.address.isEmpty())
        cluster.masterAddress = route.address;
    else if (written.protocol() == QAbstractSocket::IPv4Protocol)
        cluster.masterAddress = written.toString();
    else
        return Error{tr("the host \"%1\" has not been looked up").arg(name), u"--master_addr"_s,
                     tr("Give an IPv4 address.")};
    const bool isLoopback = QHostAddress(cluster.masterAddress).isLoopback();
    cluster.isMaster = isLoopback || facts.addresses.contains(cluster.masterAddress);
    cluster.ownAddress = cluster.isMaster ? cluster.masterAddress : route.source;
    cluster.hasLoopbackMaster = isLoopback && cluster.hasOtherNodes();
    // Node 0 starts the scheduler; a second one would form a cluster of its own.
    if (cluster.hasLoopbackMaster && cluster.nodeRank > 0)
        cluster.isMaster = false;
    const auto other = std::ranges::find_if(
        facts.addresses, [](const QString &address) { return !QHostAddress(address).isLoopback(); });
    if (cluster.ownAddress.isEmpty())
        cluster.ownAddress = other == facts.addresses.end() ? u"127.0.0.1"_s : *other;
    return std::nullopt;
}

Error loopbackProblem(const MsrunCluster &cluster, const QString &name, const HostFacts &facts)
{
    const QString what =
        name == cluster.masterAddress
            ? tr("%1 means the local node everywhere, so the other nodes cannot reach the scheduler")
                  .arg(name)
            : tr("the host \"%1\" is %2 here, where the other nodes cannot reach the scheduler")
                  .arg(name, cluster.masterAddress);
    QStringList own = facts.addresses;
    own.removeIf([](const QString &address) { return QHostAddress(address).isLoopback(); });
    if (cluster.nodeRank > 0 || own.isEmpty())
        return {what, u"--master_addr"_s,
                tr("Give an address of node 0 that the other nodes can reach, the same on every node.")};
    return {what, u"--master_addr"_s,
            tr("To run the scheduler here, give an address of this node, the same on every node: %1.")
                .arg(own.join(nameComma()))};
}

/// Whether some process of the plan does not get `name` as it is in the environment.
bool isReplaced(const LaunchPlan &plan, const QString &name)
{
    return std::ranges::any_of(plan.processes, [&](const ProcessPlan &process) {
        return process.setVariables.contains(name) || process.removeVariables.contains(name);
    });
}

/// Returns the list as Python prints it.
QString pythonList(const QList<int> &numbers)
{
    const QStringList texts = listOf(numbers, [](int number) { return QString::number(number); });
    return '['_L1 + texts.join(", "_L1) + ']'_L1;
}

QStringList commandLine(const LaunchSpec &spec, const HostFacts &facts)
{
    const QStringList &command = spec.command;
    static const QStringList programs{u"python"_s, u"python3"_s, u"pytest"_s};
    return programs.contains(command.first()) ? command
                                              : QStringList{scriptInterpreter(spec, facts)} + command;
}

/// Returns true if msrun would recover failed workers in this environment.
/// Source: _ProcessManager of mindspore.parallel.cluster.process_entity.
bool wantsRecovery(const QProcessEnvironment &environment)
{
    const QString tolerance = environment.value(u"MS_ENABLE_TFT"_s);
    return tolerance.contains("TTP:1"_L1) || tolerance.contains("UCE:1"_L1) || tolerance.contains("ARF:1"_L1);
}

/// Returns X of deviceX, which --bind_core and --bind_numa name, by local rank.
QList<int> devicesOf(const LaunchSpec &spec, const HostFacts &facts, int workers)
{
    const QStringList visible = launchEnvironment(spec, facts)
                                    .value(u"ASCEND_RT_VISIBLE_DEVICES"_s)
                                    .split(','_L1, Qt::SkipEmptyParts);
    QList<int> devices;
    for (int worker = 0; worker < workers; ++worker) {
        bool isNumber = false;
        const int device = visible.value(worker).trimmed().toInt(&isNumber);
        devices << (isNumber ? device : worker);
    }
    return devices;
}

class Planner
{
public:
    Planner(const LaunchSpec &spec, const HostFacts &facts, const MsrunCluster &cluster)
        : m_spec(spec)
        , m_facts(facts)
        , m_cluster(cluster)
        , m_logDir(absoluteLaunchPath(spec.logDir.isEmpty() ? u"."_s : spec.logDir, facts))
    {
    }

    ProcessPlan scheduler(const LaunchPlan &plan) const
    {
        ProcessPlan process = common(plan);
        process.role = Role::Scheduler;
        process.device = ProcessPlan::noDevice;
        process.console = Streams::None;
        process.logFile = m_logDir + u"/scheduler.log"_s;
        set(process, "MS_ROLE", u"MS_SCHED"_s);
        set(process, "RANK_ID", u"0"_s);
        process.removeVariables = {u"MS_NODE_ID"_s};
        finish(process);
        return process;
    }

    ProcessPlan worker(const LaunchPlan &plan, int index) const
    {
        const QString number = QString::number(m_cluster.rankOf(index));
        ProcessPlan process = common(plan);
        process.rank =
            Rank(m_cluster.simulatedRank != -1 ? m_cluster.simulatedRank : m_cluster.rankOf(index));
        process.isRankOpen = !m_cluster.knowsRanks() && !m_cluster.isSimulation();
        process.localRank = LocalRank(index);
        process.device = DeviceId(index);
        process.console = isTailed(process.rank) ? Streams::All : Streams::None;
        process.logFile = u"%1/%2_%3.log"_s.arg(m_logDir, logName(), number);
        set(process, "DEVICE_ID", QString::number(index));
        set(process, "LOCAL_RANK", QString::number(index));
        if (!m_cluster.isSimulation())
            set(process, "MS_ROLE", u"MS_WORKER"_s);
        if (m_cluster.knowsRanks()) {
            set(process, "MS_NODE_ID", number);
            set(process, "RANK_ID", number);
        }
        if (m_cluster.simulatedRank != -1)
            set(process, "RANK_ID", QString::number(m_cluster.simulatedRank));
        // Left over from an earlier launch they would make it another's process.
        for (const char *name :
             {"MS_NODE_ID", "MS_ROLE", "MS_SCHED_HOST", "MS_SCHED_PORT", "MS_TOPO_TIMEOUT", "RANK_ID"}) {
            if (!process.setVariables.contains(QLatin1String(name)))
                process.removeVariables << QLatin1String(name);
        }
        finish(process);
        return process;
    }

    static void bind(ProcessPlan &process, const QList<int> &cpus, bool tellsWorker)
    {
        process.cpus = cpus;
        if (tellsWorker && !cpus.isEmpty())
            set(process, "MSRUN_CPU_LIST", pythonList(cpus));
    }

private:
    static void set(ProcessPlan &process, const char *name, const QString &value)
    {
        process.setVariables.insert(QLatin1String(name), value);
    }

    ProcessPlan common(const LaunchPlan &plan) const
    {
        ProcessPlan process;
        process.node = plan.thisNode;
        process.argv = commandLine(m_spec, m_facts);
        process.workDir = absoluteWorkDir(m_spec, m_facts);
        set(process, "MS_WORKER_NUM", QString::number(m_cluster.workers));
        set(process, "RANK_SIZE", QString::number(m_cluster.rankSize));
        if (m_cluster.isSimulation()) {
            set(process, "MS_SIMULATION_LEVEL", m_cluster.simulationLevel);
        } else {
            set(process, "MS_SCHED_HOST", m_cluster.masterAddress);
            set(process, "MS_SCHED_PORT", QString::number(m_spec.msrun.masterPort));
            set(process, "MS_TOPO_TIMEOUT", QString::number(m_spec.msrun.clusterTimeOut));
        }
        if (m_cluster.isWhole() || m_cluster.nodeRank >= 0)
            set(process, "MS_NODE_RANK", QString::number(m_cluster.isWhole() ? 0 : m_cluster.nodeRank));
        if (wantsRecovery(launchEnvironment(m_spec, m_facts)))
            set(process, "MS_ENABLE_RECOVERY", u"1"_s);
        if (!plan.rankTableFile.isEmpty())
            set(process, "RANK_TABLE_FILE", plan.rankTableFile);
        return process;
    }

    /// Applies the user's variables, which win over all others.
    void finish(ProcessPlan &process) const
    {
        process.setVariables.insert(m_spec.environment);
        for (auto it = m_spec.environment.begin(); it != m_spec.environment.end(); ++it)
            process.removeVariables.removeAll(it.key());
    }

    bool isTailed(Rank rank) const
    {
        const QString &ranks = m_spec.msrun.tailWorkerLog;
        return ranks == "-1"_L1 || ranks.split(','_L1).contains(QString::number(rank.value));
    }

    QString logName() const
    {
        QString name = m_spec.msrun.workerLogName;
        if (name.isEmpty())
            return u"worker"_s;
        name.replace("{ip}"_L1, m_cluster.ownAddress);
        return name.replace("{hostname}"_L1, m_facts.hostName).replace('/'_L1, '_'_L1);
    }

    const LaunchSpec &m_spec;
    const HostFacts &m_facts;
    const MsrunCluster &m_cluster;
    QString m_logDir;
};

/// Returns the cluster of `spec`, whose options are in range. Adds surprises to `notes`. Fails for more
/// workers on this node than in all, a node rank or a simulated rank that there is not, a master that was not
/// looked up.
Result<MsrunCluster> msrunCluster(const LaunchSpec &spec, const HostFacts &facts, QList<Sentence> &notes)
{
    MsrunCluster cluster;
    cluster.workers = spec.msrun.workerNum;
    cluster.localWorkers = spec.msrun.localWorkerNum;
    cluster.rankSize = spec.msrun.workerNum;
    cluster.nodeRank = spec.msrun.nodeRank;
    if (const auto error = simulate(cluster, spec.msrun, launchEnvironment(spec, facts), notes))
        return *error;
    if (const auto error = placeRanks(cluster, notes))
        return *error;
    if (const auto error = findMaster(cluster, spec.msrun.masterAddr, facts))
        return *error;
    return cluster;
}

} // namespace

std::optional<Error> problemWithMsrunOptions(const LaunchSpec &spec)
{
    const MsrunOptions &msrun = spec.msrun;
    if (spec.command.isEmpty() || spec.command.first().isEmpty())
        return Error{tr("no script to run"), u"task_script"_s,
                     tr("Give it after the options, e.g. train.py.")};
    if (const auto error = problemWithBasics(spec))
        return error;
    if (const auto error = outOfRange(msrunRows(), spec))
        return error;
    if (msrun.masterAddr.isEmpty() || msrun.masterAddr.contains(':'_L1))
        return Error{tr("\"%1\" is neither a host's name nor an IPv4 address").arg(msrun.masterAddr),
                     u"--master_addr"_s, tr("IPv6 is not supported here.")};
    if (const auto binding = readCpuBinding(spec.common.bindCore, u"--bind_core"_s); !binding)
        return binding.error();
    const bool isWord = msrun.bindNuma == "True"_L1 || msrun.bindNuma == "False"_L1;
    if (!isWord) {
        if (const auto binding = readNumaBinding(msrun.bindNuma.toUtf8()); !binding)
            return binding.error();
    }
    if (const auto error = problemWithLogName(msrun.workerLogName))
        return error;
    return problemWithTail(msrun.tailWorkerLog);
}

std::optional<Error> problemWithMsrunMaster(const LaunchSpec &spec, const HostFacts &facts)
{
    QList<Sentence> notes;
    const auto cluster = msrunCluster(spec, facts, notes);
    if (spec.launcher != "msrun"_L1 || !cluster || !cluster->hasLoopbackMaster)
        return std::nullopt;
    return loopbackProblem(*cluster, spec.msrun.masterAddr, facts);
}

namespace
{

/// Returns the ranks that the table gives the devices of the server with this address, in its order.
/// Source: MindSpore finds its hosts by pod_ip (meta_server_node.cc).
QList<Rank> ranksInTable(const RankTable &table, const QString &address)
{
    QList<Rank> ranks;
    for (const Server &server : table.servers) {
        if (otherText(server.otherKeys, "pod_ip") != address)
            continue;
        for (const Device &device : server.devices)
            ranks << device.rank.value_or(Rank(-1));
    }
    return ranks;
}

Result<QList<Rank>> ranksByTable(const LaunchSpec &spec, const MsrunCluster &cluster, const HostFacts &facts)
{
    const QString where = u"--rank_table_file"_s;
    const auto table = parseRankTable(facts.rankTableText, spec.rankTableFile);
    if (!table)
        return table.error();
    if (table->deviceCount() != cluster.workers)
        return Error{tr("the rank table has %1 devices, and --worker_num is %2")
                         .arg(table->deviceCount())
                         .arg(cluster.workers),
                     where, tr("MindSpore does not take the ranks from it, and HCCL refuses it.")};
    const QList<Rank> ranks = ranksInTable(*table, cluster.ownAddress);
    if (ranks.isEmpty())
        return Error{tr("no server of the rank table has the pod_ip %1, the address of this host")
                         .arg(cluster.ownAddress),
                     where,
                     tr("MindSpore finds its hosts by pod_ip; without it, it numbers the ranks itself.")};
    if (ranks.size() != cluster.localWorkers)
        return Error{tr("the rank table has %1 devices for this host, and --local_worker_num is %2")
                         .arg(ranks.size())
                         .arg(cluster.localWorkers),
                     where, tr("MindSpore does not take the ranks from it.")};
    return ranks;
}

} // namespace

std::optional<Error> problemWithMsrunTable(const LaunchSpec &spec, const HostFacts &facts)
{
    QList<Sentence> notes;
    const auto cluster = msrunCluster(spec, facts, notes);
    if (spec.launcher != "msrun"_L1 || !cluster || facts.rankTableText.isEmpty() || cluster->isSimulation())
        return std::nullopt;
    const auto ranks = ranksByTable(spec, *cluster, facts);
    return ranks ? std::nullopt : std::optional(ranks.error());
}

QList<Sentence> leftoverNotes(const LaunchPlan &plan, const QProcessEnvironment &environment)
{
    QStringList replaced;
    QStringList kept;
    for (const QString &name : environment.keys()) {
        if (name.startsWith("MS_"_L1) || name == "RANK_TABLE_FILE"_L1)
            (isReplaced(plan, name) ? replaced : kept) << name;
    }
    replaced.sort();
    kept.sort();
    QList<Sentence> notes;
    const QLatin1String comma(", ");
    if (!replaced.isEmpty())
        notes << Sentence::tr(
                     "Already set in this environment: %1. This launch overrides or unsets them for its "
                     "processes.")
                     .arg(replaced.join(comma));
    if (!kept.isEmpty())
        notes << Sentence::tr(
                     "Set in this environment and passed on unchanged: %1. Unset those left by an earlier "
                     "launch.")
                     .arg(kept.join(comma));
    return notes;
}

Result<LaunchPlan> planMsrun(const LaunchSpec &spec, const HostFacts &facts)
{
    if (const auto error = problemWithMsrunOptions(spec))
        return *error;
    LaunchPlan plan = planBeginning(u"msrun"_s, spec);
    const auto formed = msrunCluster(spec, facts, plan.notes);
    if (!formed)
        return formed.error();
    const MsrunCluster &cluster = *formed;
    if (cluster.hasLoopbackMaster)
        plan.notes << Sentence(loopbackProblem(cluster, spec.msrun.masterAddr, facts).sentence());
    if (cluster.hasLoopbackMaster && cluster.nodeRank > 0)
        plan.notes << Sentence::tr("No scheduler is started here: node 0 starts it, and this is node %1.")
                          .arg(cluster.nodeRank);
    const QString bindCore = u"--bind_core"_s;
    const QList<int> devices = devicesOf(spec, facts, cluster.localWorkers);
    const auto cpus = bindLocalRanks(spec.common.bindCore, bindCore, devices, facts.cpus, plan.notes);
    if (!cpus)
        return cpus.error();
    const auto nodes = numaBinding(spec.msrun.bindNuma, devices, *cpus, facts, plan.notes);
    if (!nodes)
        return nodes.error();

    plan.thisNode = facts.hostName.isEmpty() ? cluster.ownAddress : facts.hostName;
    if (!spec.rankTableFile.isEmpty())
        plan.rankTableFile = absoluteLaunchPath(spec.rankTableFile, facts);
    plan.destroyWhenFinished = spec.destroyWhenFinished;
    plan.overwriteLogs = true;
    plan.rankTable.status = u"completed"_s;

    QList<Rank> tableRanks;
    if (const auto problem = problemWithMsrunTable(spec, facts))
        plan.notes << Sentence(problem->sentence());
    else if (!facts.rankTableText.isEmpty() && !cluster.isSimulation())
        tableRanks = ranksByTable(spec, cluster, facts).value();
    const Planner planner(spec, facts, cluster);
    Server server{plan.thisNode};
    const auto bindProcess = [&](ProcessPlan &process, const QString &name) {
        return bindToNodes(process, name, nodes->value(name), facts);
    };
    if (cluster.isMaster && !cluster.isSimulation()) {
        ProcessPlan process = planner.scheduler(plan);
        Planner::bind(process, readCpuBinding(spec.common.bindCore, bindCore)->scheduler, false);
        if (const auto error = bindProcess(process, u"scheduler"_s))
            return *error;
        plan.processes.push_back(std::move(process));
    }
    for (int index = 0; index < cluster.localWorkers; ++index) {
        ProcessPlan process = planner.worker(plan, index);
        Planner::bind(process, cpus->value(index),
                      spec.common.bindCore.compare("True"_L1, Qt::CaseInsensitive) == 0);
        if (const auto error = bindProcess(process, u"device%1"_s.arg(devices[index])))
            return *error;
        if (!tableRanks.isEmpty() && tableRanks[index] != process.rank) {
            process.startedAs = process.rank.value;
            process.rank = tableRanks[index];
        }
        process.isRankOpen = process.isRankOpen && tableRanks.isEmpty();
        server.devices.push_back({process.device, {}, process.rank});
        plan.processes.push_back(std::move(process));
    }
    plan.rankTable.servers.push_back(std::move(server));
    plan.totalRanks = cluster.rankSize == cluster.localWorkers ? 0 : cluster.rankSize;
    if (wantsRecovery(launchEnvironment(spec, facts)))
        plan.notes << Sentence::tr(
            "MS_ENABLE_TFT is set, so MS_ENABLE_RECOVERY is 1 in every process, as with msrun. The taskd "
            "plugin, which then manages msrun's workers, is not used: a failure ends the run.");
    plan.notes << leftoverNotes(plan, facts.environment);
    return plan;
}

} // namespace rankdeck

#include "launch/msrun.h"

#include "launch/cpubinding.h"
#include "launch/launchbasics.h"
#include "launch/leftovervariables.h"
#include "launch/msruncheck.h"
#include "launch/msruncluster.h"

#include <QCoreApplication>

namespace rankdeck
{

namespace
{

QString tr(const char *text)
{
    return QCoreApplication::translate("msrun", text);
}

/// As Python prints a list.
QString pythonList(const QList<int> &numbers)
{
    QStringList texts;
    for (const int number : numbers)
        texts << QString::number(number);
    return QLatin1Char('[') + texts.join(QLatin1String(", ")) + QLatin1Char(']');
}

QStringList commandLine(const QStringList &command)
{
    static const QStringList programs{QStringLiteral("python"), QStringLiteral("python3"),
                                      QStringLiteral("pytest")};
    return programs.contains(command.first()) ? command : QStringList{QStringLiteral("python3")} + command;
}

/// What msrun takes for a wish to have failed workers recovered.
/// Source: _ProcessManager of mindspore.parallel.cluster.process_entity.
bool wantsRecovery(const QProcessEnvironment &environment)
{
    const QString tolerance = environment.value(QStringLiteral("MS_ENABLE_TFT"));
    return tolerance.contains(QLatin1String("TTP:1")) || tolerance.contains(QLatin1String("UCE:1")) ||
           tolerance.contains(QLatin1String("ARF:1"));
}

class Planner
{
public:
    Planner(const LaunchSpec &spec, const HostFacts &facts, const MsrunCluster &cluster)
        : m_spec(spec)
        , m_facts(facts)
        , m_cluster(cluster)
        , m_logDir(absoluteLaunchPath(spec.logDir.isEmpty() ? QStringLiteral(".") : spec.logDir, facts))
    {
    }

    ProcessPlan scheduler(const LaunchPlan &plan) const
    {
        ProcessPlan process = common(plan);
        process.role = Role::Scheduler;
        process.device = ProcessPlan::noDevice;
        process.console = Streams::None;
        process.logFile = m_logDir + QStringLiteral("/scheduler.log");
        set(process, "MS_ROLE", QStringLiteral("MS_SCHED"));
        set(process, "RANK_ID", QStringLiteral("0"));
        process.removeVariables = {QStringLiteral("MS_NODE_ID")};
        finish(process);
        return process;
    }

    ProcessPlan worker(const LaunchPlan &plan, int index) const
    {
        const QString number = QString::number(m_cluster.rankOf(index));
        ProcessPlan process = common(plan);
        process.rank =
            Rank(m_cluster.simulatedRank != -1 ? m_cluster.simulatedRank : m_cluster.rankOf(index));
        process.localRank = LocalRank(index);
        process.device = DeviceId(index);
        process.console = isTailed(process.rank) ? Streams::All : Streams::None;
        process.logFile = QStringLiteral("%1/%2_%3.log").arg(m_logDir, logName(), number);
        set(process, "DEVICE_ID", QString::number(index));
        set(process, "LOCAL_RANK", QString::number(index));
        if (!m_cluster.isSimulation())
            set(process, "MS_ROLE", QStringLiteral("MS_WORKER"));
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
        process.argv = commandLine(m_spec.command);
        process.workDir =
            absoluteLaunchPath(m_spec.workDir.isEmpty() ? QStringLiteral(".") : m_spec.workDir, m_facts);
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
            set(process, "MS_ENABLE_RECOVERY", QStringLiteral("1"));
        if (!plan.rankTableFile.isEmpty())
            set(process, "RANK_TABLE_FILE", plan.rankTableFile);
        return process;
    }

    /// What the user sets wins.
    void finish(ProcessPlan &process) const
    {
        process.setVariables.insert(m_spec.environment);
        for (auto it = m_spec.environment.begin(); it != m_spec.environment.end(); ++it)
            process.removeVariables.removeAll(it.key());
    }

    bool isTailed(Rank rank) const
    {
        const QString &ranks = m_spec.msrun.tailWorkerLog;
        return ranks == QLatin1String("-1") ||
               ranks.split(QLatin1Char(',')).contains(QString::number(rank.value));
    }

    QString logName() const
    {
        QString name = m_spec.msrun.workerLogName;
        if (name.isEmpty())
            return QStringLiteral("worker");
        name.replace(QLatin1String("{ip}"), m_cluster.ownAddress);
        return name.replace(QLatin1String("{hostname}"), m_facts.hostName)
            .replace(QLatin1Char('/'), QLatin1Char('_'));
    }

    const LaunchSpec &m_spec;
    const HostFacts &m_facts;
    const MsrunCluster &m_cluster;
    QString m_logDir;
};

} // namespace

Result<LaunchPlan> planMsrun(const LaunchSpec &spec, const HostFacts &facts)
{
    if (const auto error = problemWithMsrunOptions(spec))
        return *error;
    LaunchPlan plan;
    const auto formed = msrunCluster(spec, facts, plan.notes);
    if (!formed)
        return formed.error();
    const MsrunCluster &cluster = *formed;
    const auto cpus = bindLocalRanks(spec.common.bindCore, QStringLiteral("--bind_core"),
                                     cluster.localWorkers, facts.cpus, plan.notes);
    if (!cpus)
        return cpus.error();

    plan.launcher = QStringLiteral("msrun");
    plan.name = launchName(spec);
    plan.jobId = plan.name;
    plan.thisNode = facts.hostName.isEmpty() ? cluster.ownAddress : facts.hostName;
    if (!spec.rankTableFile.isEmpty())
        plan.rankTableFile = absoluteLaunchPath(spec.rankTableFile, facts);
    plan.destroyWhenFinished = spec.destroyWhenFinished;
    plan.raiseOnFailure = spec.raiseOnFailure;
    plan.graceSeconds = spec.graceSeconds;
    plan.overwriteLogs = true;
    plan.rankTable.status = QStringLiteral("completed");

    const Planner planner(spec, facts, cluster);
    Server server{plan.thisNode};
    if (cluster.isMaster && !cluster.isSimulation())
        plan.processes.push_back(planner.scheduler(plan));
    for (int index = 0; index < cluster.localWorkers; ++index) {
        ProcessPlan process = planner.worker(plan, index);
        Planner::bind(process, cpus->value(index),
                      spec.common.bindCore.compare(QLatin1String("True"), Qt::CaseInsensitive) == 0);
        server.devices.push_back({process.device, {}, process.rank});
        plan.processes.push_back(std::move(process));
    }
    plan.rankTable.servers.push_back(std::move(server));
    plan.totalRanks = cluster.rankSize == cluster.localWorkers ? 0 : cluster.rankSize;
    if (wantsRecovery(launchEnvironment(spec, facts)))
        plan.notes << tr(
            "MS_ENABLE_TFT is set, so MS_ENABLE_RECOVERY is 1 in every process, as with msrun; the "
            "taskd plugin, to which msrun then leaves the workers, is not used: a failure ends the "
            "run.");
    plan.notes << leftoverNotes(plan, facts.environment);
    return plan;
}

} // namespace rankdeck

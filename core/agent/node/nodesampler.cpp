#include "agent/node/nodesampler.h"

#include "agent/preflight/holders.h"
#include "launch/plan/launchplan.h"
#include "run/process/processtree.h"

#include <cerrno>
#include <csignal>

namespace rankdeck
{

NodeSampler::NodeSampler(const LaunchPlan &share, QString node, PidOf pidOf, DeviceSource source,
                         DeviceSamplerSettings settings)
    : m_node(std::move(node))
    , m_pidOf(std::move(pidOf))
    , m_devices(std::move(source), std::move(settings))
{
    for (std::size_t index = 0; index < share.processes.size(); ++index)
        add(static_cast<int>(index), share.processes[index]);
    connect(&m_timer, &QTimer::timeout, this, &NodeSampler::sample);
    connect(&m_devices, &DeviceSampler::sampled, this, &NodeSampler::takeReading);
    connect(&m_devices, &DeviceSampler::failed, this, [this](const Error &error) { m_problem = error; });
    connect(&m_devices, &DeviceSampler::toolStarted, this, &NodeSampler::toolStarted);
    connect(&m_devices, &DeviceSampler::toolEnded, this, &NodeSampler::toolEnded);
}

void NodeSampler::add(int process, const ProcessPlan &plan)
{
    if (plan.node != m_node)
        return;
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const bool isWorker = plan.role == Role::Worker;
    std::erase_if(m_ranks, [process](const Rank &rank) { return rank.process == process; });
    m_ranks.push_back(
        {process, isWorker ? plan.rank.value : -1, isWorker ? deviceOf(plan, environment) : -1, {}});
    const QString folder = effectiveValue(plan, environment, u"TORCH_HCCL_STATUS_SAVE_PATH"_s);
    if (!folder.isEmpty() && !m_statusFolders.contains(folder))
        m_statusFolders << folder;
    if (effectiveValue(plan, environment, u"HCCL_ENTRY_LOG_ENABLE"_s) != "1"_L1)
        return;
    const QString plogs = plogDirectory(plan, environment) + u"/run/plog"_s;
    if (!m_entryLogs.contains(plogs))
        m_entryLogs.insert(plogs, EntryLog(plogs, QDateTime::currentDateTime()));
}

void NodeSampler::want(std::chrono::milliseconds interval, int detailed)
{
    m_detailed = detailed;
    findChips();
    const bool isWanted = interval.count() > 0;
    m_devices.setWanted(this, isWanted && m_devices.source().kind != DeviceSource::Kind::None);
    if (!isWanted) {
        m_timer.stop();
        return;
    }
    m_devices.setInterval(interval);
    // A wish for details of a card, or another caller's wish, must not make samples more frequent.
    if (m_timer.isActive() && m_timer.intervalAsDuration() == interval)
        return;
    if (!m_timer.isActive())
        forgetOld();
    m_timer.start(interval);
    sample();
}

void NodeSampler::forgetOld()
{
    m_load = ProcessLoad();
    m_problem.reset();
    const std::chrono::milliseconds usual = m_devices.intervalAfter(m_devices.lastDuration());
    if (m_reading && m_reading->time.msecsTo(QDateTime::currentDateTimeUtc()) > usual.count()) {
        m_reading.reset();
        m_users.clear();
        m_chips.clear();
    }
}

void NodeSampler::findRoots()
{
    for (Rank &rank : m_ranks) {
        const auto pid = static_cast<pid_t>(m_pidOf(rank.process));
        if (pid == rank.root.pid)
            continue;
        // The process has not been waited for, so its pid cannot belong to another one yet.
        const auto info = pid > 0 ? readProcess(pid) : std::nullopt;
        rank.root = info ? TreeRoot{pid, info->startTime} : TreeRoot();
    }
}

void NodeSampler::sampleLoads(NodeSample &sample)
{
    std::vector<TreeRoot> roots;
    std::vector<int> processes;
    for (const Rank &rank : m_ranks) {
        if (rank.root.pid == 0)
            continue;
        roots.push_back(rank.root);
        processes.push_back(rank.process);
    }
    const auto loads = m_load.sample(roots);
    for (std::size_t index = 0; index < loads.size(); ++index) {
        if (loads[index])
            sample.loads.insert(processes[index], *loads[index]);
    }
}

void NodeSampler::sampleCollectives(NodeSample &sample)
{
    for (const QString &folder : std::as_const(m_statusFolders)) {
        const auto collectives = readLiveCollectives(folder);
        for (const Rank &rank : m_ranks) {
            if (const auto its = collectives.find(rank.rank);
                rank.root.pid > 0 && rank.rank >= 0 && its != collectives.end())
                sample.collectives.insert(rank.process, *its);
        }
    }
}

void NodeSampler::sampleEntryLogs(NodeSample &sample)
{
    if (m_entryLogs.isEmpty())
        return;
    QHash<pid_t, int> silent; // Ranks by the roots of their trees.
    for (const Rank &rank : m_ranks) {
        if (rank.root.pid > 0 && !sample.collectives.contains(rank.process))
            silent.insert(rank.root.pid, rank.process);
    }
    QHash<qint64, int> owners;
    for (const auto &[pid, root] : m_load.members()) {
        if (silent.contains(root))
            owners.insert(pid, silent.value(root));
    }
    const QSet<qint64> pids(owners.keyBegin(), owners.keyEnd());
    for (EntryLog &log : m_entryLogs) {
        const auto collectives = log.look(pids);
        for (auto its = collectives.cbegin(); its != collectives.cend(); ++its)
            sample.collectives.insert(owners.value(its.key()), *its);
    }
}

void NodeSampler::sample()
{
    NodeSample sample;
    sample.node = m_node;
    sample.time = QDateTime::currentDateTimeUtc();
    findRoots();
    sampleLoads(sample);
    sampleCollectives(sample);
    sampleEntryLogs(sample);
    if (m_reading && !m_isJoined)
        joinUsers();
    sample.devices = m_reading;
    sample.users = m_users;
    sample.chips = m_chips;
    sample.problem = m_problem;
    sample.isAwaitingDevices =
        m_devices.source().kind != DeviceSource::Kind::None && !m_reading && !sample.problem;
    Q_EMIT sampled(sample);
}

void NodeSampler::takeReading(const DeviceReading &reading)
{
    m_reading = reading;
    m_problem.reset();
    m_isJoined = false;
    m_users.clear();
    findChips();
}

/// After the trees have been looked at, once for each reading.
void NodeSampler::joinUsers()
{
    m_isJoined = true;
    QHash<qint64, int> owners;
    QHash<pid_t, int> ranks;
    for (const Rank &rank : m_ranks) {
        if (rank.root.pid > 0)
            ranks.insert(rank.root.pid, rank.process);
    }
    for (const auto &[pid, root] : m_load.members())
        owners.insert(pid, ranks.value(root, -1));
    const PidView view = pidViewOf(owners);
    m_users.clear();
    for (DeviceSample &chip : m_reading->samples) {
        QList<DeviceUser> users = joinProcesses(chip.processes.value_or(QList<DeviceProcess>()), view);
        users.removeIf([&](const DeviceUser &user) {
            // A process that has ended since npu-smi looked may have been one of the run.
            if (user.ownPid <= 0 || !user.isForeign() || ::kill(static_cast<pid_t>(user.ownPid), 0) == 0 ||
                errno != ESRCH)
                return !view.areHostPids && !user.process.containerPid;
            chip.processes->removeIf(
                [&](const DeviceProcess &process) { return process.pid == user.process.pid; });
            return true;
        });
        m_users << users;
    }
    findChips();
}

/// The chip that a process runs on; of several, and of none, the one that it was planned for.
void NodeSampler::findChips()
{
    m_chips.clear();
    if (!m_reading)
        return;
    QMap<int, int> byNumber;
    for (int chip = 0; chip < static_cast<int>(m_reading->samples.size()); ++chip)
        byNumber.insert(programNumber(m_reading->samples, chip), chip);
    QMap<int, QList<int>> used;
    for (int chip = 0; chip < static_cast<int>(m_users.size()); ++chip) {
        for (const DeviceUser &user : std::as_const(m_users[chip])) {
            if (!user.isForeign())
                used[user.owner] << chip;
        }
    }
    for (const Rank &rank : m_ranks) {
        const int planned = byNumber.value(rank.device, -1);
        const QList<int> chips = used.value(rank.process);
        const int chip = chips.isEmpty() || chips.contains(planned) ? planned : chips.first();
        if (chip >= 0)
            m_chips.insert(rank.process, chip);
    }
    const auto detailed = m_chips.constFind(m_detailed);
    m_devices.setDetailedCard(detailed == m_chips.cend() ? std::nullopt
                                                         : m_reading->samples[*detailed].ids.card);
}

} // namespace rankdeck

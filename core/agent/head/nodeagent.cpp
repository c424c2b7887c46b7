#include "agent/head/nodeagent.h"

#include "launch/nodes/nodesplan.h"
#include "launch/nodes/planlaunch.h"
#include "launch/plan/attempt.h"

#include <QDir>
#include <QFile>
#include <QSysInfo>

#include <span>

namespace rankdeck
{

/// No reader takes more of a dump.
constexpr qint64 mostDumpBytes = 256 * 1024 * 1024;

QList<int> NodeAgent::ownOf(const QList<int> &processes) const
{
    QList<int> owned;
    for (const int process : processes) {
        const int own = process - firstProcess;
        if (own >= 0 && own < processCount)
            owned << own;
    }
    return owned;
}

QList<int> NodeAgent::ownWithTools(const QList<int> &processes) const
{
    QList<int> owned = ownOf(processes);
    for (const int process : processes) {
        if (tools.contains(process))
            owned << process;
    }
    return owned;
}

bool NodeAgent::isOwn(int process, const LaunchPlan &plan) const
{
    const auto index = static_cast<std::size_t>(firstProcess) + static_cast<std::size_t>(process);
    return process >= 0 && process < processCount && plan.processes[index].node == planned.node;
}

NodeSample NodeAgent::ownSample(const NodeSample &sample, const LaunchPlan &plan) const
{
    NodeSample own = sample;
    own.node = planned.node;
    const auto take = [&](auto &owned, const auto &all) {
        owned.clear();
        for (auto each = all.begin(); each != all.end(); ++each) {
            if (isOwn(each.key(), plan))
                owned.insert(each.key() + firstProcess, each.value());
        }
    };
    take(own.chips, sample.chips);
    take(own.loads, sample.loads);
    take(own.collectives, sample.collectives);
    for (QList<DeviceUser> &users : own.users) {
        for (DeviceUser &user : users)
            user.owner = isOwn(user.owner, plan) ? user.owner + firstProcess : -1;
    }
    return own;
}

void NodeAgent::takeShare(const LaunchPlan &plan, const PlannedNode &node)
{
    planned = node;
    const auto isHere = [&](const ProcessPlan &process) {
        return process.node == node.node;
    };
    const auto first = std::ranges::find_if(plan.processes, isHere);
    const auto last = std::find_if_not(first, plan.processes.end(), isHere);
    firstProcess = static_cast<int>(first - plan.processes.begin());
    processCount = static_cast<int>(last - first);
}

std::optional<Error> NodeAgent::place(LaunchPlan &plan, const LaunchPlan &attempt, LogPlaces &places) const
{
    for (int own = 0; own < processCount; ++own) {
        const auto index = static_cast<std::size_t>(firstProcess) + static_cast<std::size_t>(own);
        if (auto error = places.place(plan.processes[index], attempt.processes[index], *prepared, own,
                                      plan.maxRestarts > 0))
            return error;
    }
    return std::nullopt;
}

bool NodeAgent::copyLogs(const LaunchPlan &attempt, const LogPlaces &places, bool followAll)
{
    QStringList copies;
    const std::span<const ProcessPlan> all(attempt.processes);
    for (const ProcessPlan &process :
         all.subspan(static_cast<std::size_t>(firstProcess), static_cast<std::size_t>(processCount))) {
        const QStringList files = writtenFiles(process);
        for (qsizetype file = 0; file < files.size(); ++file)
            copies << (process.copiedFrom.value(file).isEmpty() ? QString() : files[file]);
    }
    for (const QString &log : hookLogs(attempt, planned.node))
        copies << (places.sees(*prepared, log) ? QString() : log);
    if (copies.count(QString()) == copies.size())
        return false;
    LogMirror::Options options;
    options.compress = true; // ssh's own compression is off.
    options.followAll = followAll;
    logs = std::make_unique<NodeLogs>(*link, copies, options);
    return true;
}

void NodeAgent::makeWayBack(TransportKind kind, const NodeOptions &options) const
{
    const QString program = link->transport().program();
    if (program.isEmpty())
        return;
    link->setWayBack([kind, host = planned.host, options, program, id = rejoinId] {
        return makeRejoinTransport(kind, host, options, program, id);
    });
}

void NodeAgent::orderSamples(const SampleWish &wish, std::chrono::milliseconds interval) const
{
    link->order(orders::Sample{ownOf({wish.detailed}), static_cast<int>(interval.count())});
}

void NodeAgent::orderEnd(const QList<int> &processes, bool kill) const
{
    const QList<int> own = ownWithTools(processes);
    if (!own.isEmpty() && kill)
        link->order(orders::KillProcesses{own});
    else if (!own.isEmpty())
        link->order(orders::StopProcesses{own});
}

void NodeAgent::attachTool(int index, int process, const ProcessPlan &tool)
{
    const QList<int> own = ownOf({process});
    if (own.isEmpty())
        return;
    tools << index;
    link->order(orders::AttachTool{index, own.first(), tool});
}

void NodeAgent::nameRank(int index, const ProcessPlan &found, qint64 pid)
{
    processCount = std::max(processCount, index + 1 - firstProcess);
    link->order(orders::NameRank{index, static_cast<int>(pid), found});
}

void NodeAgent::type(const TerminalInput &input) const
{
    TerminalInput own = input;
    own.processes = ownWithTools(input.processes);
    if (!own.processes.isEmpty())
        link->order(own);
}

void NodeAgent::keepDump(const QByteArray &piece, const QString &folder) const
{
    const auto dump = DumpPiece::fromBytes(piece);
    if (!dump || seesRunDirectory || folder.isEmpty())
        return;
    QDir().mkpath(folder);
    QFile file(folder + '/'_L1 + dump->name);
    if (dump->isFirst)
        file.remove(); // Perhaps of an earlier attempt, perhaps no file.
    const bool isWithinLimit = dump->isFirst || file.size() < mostDumpBytes;
    if (isWithinLimit && file.open(dump->isFirst ? QIODevice::WriteOnly : QIODevice::Append))
        file.write(dump->bytes);
}

LaunchPreparation::LaunchPreparation(const RunRecord &record, const Agents &agents, QString runDirectory,
                                     std::optional<LaunchPlan> unplaced)
    : m_record(record)
    , m_agents(agents)
    , m_directory(std::move(runDirectory))
    , m_unplaced(std::move(unplaced))
{
}

/// Plans the launch by what all nodes have said of themselves.
Result<LaunchPlan> LaunchPreparation::makePlan() const
{
    LaunchSpec spec = m_record.spec;
    spec.nodes = {}; // The record's plan has them.
    const auto own = gatherLaunchFacts(spec);
    if (!own)
        return own.error();
    std::vector<NodeFacts> nodes;
    for (const auto &node : m_agents) {
        HostFacts facts = *node->facts;
        facts.environment = own->environment;
        facts.envFiles = own->envFiles;
        facts.transport = m_record.plan.transport;
        facts.routes.insert(own->routes);
        nodes.push_back({node->planned.host, facts});
    }
    auto plan = planNodes(m_record.spec, m_record.plan.rankTable, m_record.plan.rankTableFile, nodes);
    if (!plan)
        return plan.error();
    // The record has the rank table as it was read, which may hold more than the table that was planned.
    for (std::size_t index = 0; index < plan->files.size() && index < m_record.plan.files.size(); ++index)
        plan->files[index].content = m_record.plan.files[index].content;
    return plan;
}

void LaunchPreparation::takeFacts(NodeAgent &node, const HostFacts &facts)
{
    node.facts = facts;
    if (m_isOver || !std::ranges::all_of(m_agents, [](const auto &each) { return each->facts.has_value(); }))
        return;
    if (!m_unplaced) {
        auto plan = makePlan();
        if (!plan) {
            Q_EMIT refused({}, plan.error());
            return;
        }
        m_unplaced = std::move(plan.value());
    }
    prepareAll();
}

void LaunchPreparation::prepareAll()
{
    m_places = std::make_unique<LogPlaces>(m_directory, *m_unplaced);
    for (const PlannedNode &planned : m_unplaced->nodes) {
        const auto found = std::ranges::find_if(
            m_agents, [&](const auto &known) { return known->planned.host == planned.host; });
        if (found == m_agents.end())
            continue;
        NodeAgent &node = **found;
        node.takeShare(*m_unplaced, planned);
        node.link->order(orders::Prepare{.plan = shareOf(forAttempt(*m_unplaced, m_attempt), planned.node),
                                         .node = planned.node,
                                         .runDirectory = m_directory,
                                         .probes = m_places->asked(),
                                         .head = QSysInfo::machineHostName()});
    }
}

void LaunchPreparation::takePrepared(NodeAgent &node, const PreparedNode &prepared)
{
    if (prepared.problem) {
        Q_EMIT refused(node.planned.node, *prepared.problem);
        return;
    }
    if (prepared.files.size() != node.processCount) {
        Q_EMIT refused(node.planned.node, {tr("its agent prepared other processes than requested"), {}, {}});
        return;
    }
    node.prepared = prepared;
    if (!m_isOver &&
        std::ranges::all_of(m_agents, [](const auto &each) { return each->prepared.has_value(); }))
        placeAll();
}

void LaunchPreparation::placeAll()
{
    LaunchPlan plan = withRunDirectory(*m_unplaced, m_directory);
    const LaunchPlan planned = forAttempt(plan, m_attempt);
    for (const auto &node : m_agents) {
        if (const auto error = node->place(plan, planned, *m_places)) {
            Q_EMIT refused(node->planned.node, *error);
            return;
        }
    }
    m_isOver = true;
    Q_EMIT done(plan);
    m_places.reset();
}

} // namespace rankdeck

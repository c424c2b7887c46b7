#include "agent/head/nodeagents.h"

#include "agent/node/nodepreparation.h"
#include "agent/transport/reachingproblem.h"
#include "agent/transport/transports.h"
#include "launch/nodes/launchfacts.h"
#include "launch/nodes/nodesplan.h"
#include "launch/planning/attempt.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSysInfo>
#include <QUuid>

#include <algorithm>
#include <set>
#include <span>

namespace rankdeck
{

namespace
{

/// Log transfers above this size are reported in the journal.
constexpr qint64 notedLogBytes = 16 * 1024 * 1024;

} // namespace

/// One node, its agent, and its share of the plan: processes that stand together there.
struct NodeAgents::Node {
    PlannedNode planned;
    std::unique_ptr<AgentLink> link;
    QString rejoinId; ///< Empty: its agent cannot be reached again.
    std::optional<HostFacts> facts;
    std::optional<PreparedNode> prepared;
    std::unique_ptr<NodeLogs> logs; ///< Copies of logs that are not visible from here.
    qint64 logBytesLeft = 0;        ///< Bytes of these that are still to come.
    int firstProcess = 0;
    int processCount = 0;

    /// Returns the processes that are on this node, by index in its share, of these by index in the plan.
    QList<int> ownOf(const QList<int> &processes) const
    {
        QList<int> owned;
        for (const int process : processes) {
            const int own = process - firstProcess;
            if (own >= 0 && own < processCount)
                owned << own;
        }
        return owned;
    }

    /// Returns true if `process` is an index in this node's share, and its process is on this node.
    bool isOwn(int process, const LaunchPlan &plan) const
    {
        const auto index = static_cast<std::size_t>(firstProcess) + static_cast<std::size_t>(process);
        return process >= 0 && process < processCount && plan.processes[index].node == planned.node;
    }
};

NodeAgents::NodeAgents(const RunRecord &record, QString runDirectory, std::optional<LaunchPlan> unplaced,
                       QObject *parent)
    : QObject(parent)
    , m_record(record)
    , m_directory(std::move(runDirectory))
    , m_unplaced(std::move(unplaced))
{
}

NodeAgents::~NodeAgents() = default;

void NodeAgents::start(int attempt)
{
    m_attempt = attempt;
    if (isForNamedNodes()) {
        for (const PlannedNode &node : m_record.plan.nodes)
            add(node);
    } else {
        std::set<QString> nodes;
        for (const ProcessPlan &process : m_record.plan.processes)
            nodes.insert(process.node);
        for (const QString &node : nodes)
            add({node, {}});
    }
    // Only now, since the first answer looks at all nodes.
    for (const auto &node : m_nodes)
        node->link->start();
}

void NodeAgents::add(const PlannedNode &planned)
{
    m_nodes.push_back(std::make_unique<Node>());
    Node &node = *m_nodes.back();
    node.planned = planned;
    node.processCount = static_cast<int>(m_record.plan.processes.size());
    node.link = std::make_unique<AgentLink>(makeTransport(transportFrom(m_record.plan.transport),
                                                          planned.host, m_record.spec.nodes,
                                                          QCoreApplication::applicationFilePath()),
                                            planned.node);
    node.link->setSilenceLimit(std::chrono::seconds(m_record.spec.nodes.silenceSeconds));
    m_open.push_back(&node);
    connect(&node.link->transport(), &AgentTransport::noted, this, &NodeAgents::noted);
    connect(node.link.get(), &AgentLink::ready, this, [this, &node] { greet(node); });
    connect(node.link.get(), &AgentLink::happened, this,
            [this, &node](const RunEvent &event) { take(node, event); });
    connect(node.link.get(), &AgentLink::sampled, this,
            [this, &node](const NodeSample &sample) { take(node, sample); });
    connect(node.link.get(), &AgentLink::gathered, this,
            [this, &node](const GatheredFacts &gathered) { takeFacts(node, gathered.facts); });
    connect(node.link.get(), &AgentLink::prepared, this,
            [this, &node](const PreparedNode &prepared) { takePrepared(node, prepared); });
    connect(node.link.get(), &AgentLink::held, this,
            [this, &node](const Holders &holders) { tellHolders(node, holders); });
    connect(node.link.get(), &AgentLink::ended, this,
            [this, &node](const QString &how, const QDateTime &since) { endOf(node, how, since); });
    const TransportKind kind = transportFrom(m_record.plan.transport);
    if (kind != TransportKind::Local)
        node.link->mapClock();
    if (kind == TransportKind::Ssh)
        makeWayBack(node);
}

void NodeAgents::makeWayBack(Node &node)
{
    node.rejoinId = QUuid::createUuid().toString(QUuid::Id128);
    connect(node.link.get(), &AgentLink::ready, this, [this, &node] {
        const QString program = node.link->transport().program();
        if (program.isEmpty())
            return;
        node.link->setWayBack(
            [host = node.planned.host, options = m_record.spec.nodes, program, id = node.rejoinId] {
                return makeRejoinTransport(host, options, program, id);
            });
    });
    connect(node.link.get(), &AgentLink::interrupted, this,
            [this, &node](const QString &how, const QDateTime &since) {
                Q_EMIT linkLost(node.planned.node, how, since);
            });
    connect(node.link.get(), &AgentLink::rejoined, this, [this, &node] { resume(node); });
}

void NodeAgents::greet(Node &node)
{
    Q_EMIT agentStarted(node.planned.node, node.link->localPid());
    // A stop was requested before the agent connected: start nothing.
    if (m_end || m_gaveUp) {
        node.link->order({AgentOrder::Kind::Kill, {}, {}});
    } else if (isForNamedNodes()) {
        AgentOrder order;
        order.kind = AgentOrder::Kind::Gather;
        order.spec = m_record.spec;
        order.environment = environmentForNodes(QProcessEnvironment::systemEnvironment());
        order.silenceSeconds = m_record.spec.nodes.silenceSeconds;
        order.rejoinId = node.rejoinId;
        node.link->order(order);
    } else {
        node.link->order({AgentOrder::Kind::Start, forAttempt(m_record.plan, m_attempt), node.planned.node});
        orderProcesses(node, m_unwanted, true);
        if (m_sampleInterval.count() > 0)
            orderSamples(node);
    }
}

void NodeAgents::takeFacts(Node &node, const HostFacts &facts)
{
    node.facts = facts;
    if (m_end || m_gaveUp || m_started ||
        !std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto &other) { return other->facts; }))
        return;
    planAll();
}

void NodeAgents::planAll()
{
    if (!m_unplaced) {
        LaunchSpec spec = m_record.spec;
        spec.nodes = {}; // Already resolved above.
        const auto own = gatherLaunchFacts(spec);
        if (!own) {
            giveUp({}, own.error());
            return;
        }
        std::vector<NodeFacts> nodes;
        for (const auto &node : m_nodes) {
            HostFacts facts = *node->facts;
            facts.environment = own->environment;
            facts.envFiles = own->envFiles;
            facts.transport = m_record.plan.transport;
            facts.routes.insert(own->routes);
            nodes.push_back({node->planned.host, facts});
        }
        auto plan = planNodes(m_record.spec, m_record.plan.rankTable, m_record.plan.rankTableFile, nodes);
        if (!plan) {
            giveUp({}, plan.error());
            return;
        }
        // The record has the rank table as it was read, which may hold more than the table that was planned.
        for (std::size_t index = 0; index < plan->files.size() && index < m_record.plan.files.size(); ++index)
            plan->files[index].content = m_record.plan.files[index].content;
        m_unplaced = std::move(plan.value());
    }
    prepareAll();
}

void NodeAgents::prepareAll()
{
    m_places = std::make_unique<LogPlaces>(m_directory, *m_unplaced);
    for (const PlannedNode &planned : m_unplaced->nodes) {
        const auto found = std::find_if(m_nodes.begin(), m_nodes.end(), [&](const auto &known) {
            return known->planned.host == planned.host;
        });
        if (found == m_nodes.end())
            continue;
        Node &node = **found;
        node.planned = planned;
        const auto &processes = m_unplaced->processes;
        const auto isHere = [&](const ProcessPlan &process) {
            return process.node == planned.node;
        };
        const auto first = std::find_if(processes.begin(), processes.end(), isHere);
        const auto last = std::find_if_not(first, processes.end(), isHere);
        node.firstProcess = static_cast<int>(first - processes.begin());
        node.processCount = static_cast<int>(last - first);
        AgentOrder order;
        order.kind = AgentOrder::Kind::Prepare;
        order.plan = shareOf(node);
        order.node = planned.node;
        order.runDirectory = m_directory;
        order.probes = m_places->asked();
        order.head = QSysInfo::machineHostName();
        node.link->order(order);
    }
}

LaunchPlan NodeAgents::shareOf(const Node &node) const
{
    return rankdeck::shareOf(forAttempt(*m_unplaced, m_attempt), node.planned.node);
}

void NodeAgents::takePrepared(Node &node, const PreparedNode &prepared)
{
    if (prepared.problem) {
        giveUp(node.planned.node, *prepared.problem);
        return;
    }
    if (prepared.files.size() != node.processCount) {
        giveUp(node.planned.node,
               {tr("its agent has prepared other processes than it was asked for"), {}, {}});
        return;
    }
    node.prepared = prepared;
    if (!m_end && !m_gaveUp &&
        std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto &other) { return other->prepared; }))
        startAll();
}

void NodeAgents::tellHolders(const Node &node, const Holders &holders)
{
    if (holders.npuProblem)
        Q_EMIT noted(tr("%1: %2").arg(node.planned.node, holders.npuProblem->sentence()));
    for (Holder holder : holders.list) {
        holder.node = node.planned.node;
        Q_EMIT noted(holder.isOurs() ? tr("%1 To stop it, on %2: %3")
                                           .arg(holder.sentence(), holder.stopHost(), holder.stopCommand())
                                     : holder.sentence());
    }
}

void NodeAgents::startAll()
{
    const auto placed = placedPlan();
    if (!placed)
        return;
    m_started = true;
    Q_EMIT planned(*placed);
    const LaunchPlan attempt = forAttempt(*placed, m_attempt);
    for (const auto &node : m_nodes) {
        followLogs(*node, attempt);
        AgentOrder order;
        order.kind = AgentOrder::Kind::StartPrepared;
        order.copiesLogs = node->logs != nullptr;
        node->link->order(order);
        orderProcesses(*node, m_unwanted, true);
        if (m_sampleInterval.count() > 0)
            orderSamples(*node);
    }
    m_places.reset();
}

/// Returns the plan with the places where all files are read here; nothing if a node names another place.
std::optional<LaunchPlan> NodeAgents::placedPlan()
{
    LaunchPlan plan = withRunDirectory(*m_unplaced, m_directory);
    const LaunchPlan planned = forAttempt(plan, m_attempt);
    for (const auto &node : m_nodes) {
        for (int own = 0; own < node->processCount; ++own) {
            const auto index = static_cast<std::size_t>(node->firstProcess) + static_cast<std::size_t>(own);
            if (const auto error = m_places->place(plan.processes[index], planned.processes[index],
                                                   *node->prepared, own, plan.maxRestarts > 0)) {
                giveUp(node->planned.node, *error);
                return std::nullopt;
            }
        }
    }
    return plan;
}

void NodeAgents::followLogs(Node &node, const LaunchPlan &attempt)
{
    QStringList copies;
    const std::span<const ProcessPlan> all(attempt.processes);
    for (const ProcessPlan &process : all.subspan(static_cast<std::size_t>(node.firstProcess),
                                                  static_cast<std::size_t>(node.processCount))) {
        const QStringList files = writtenFiles(process);
        for (qsizetype file = 0; file < files.size(); ++file)
            copies << (process.copiedFrom.value(file).isEmpty() ? QString() : files[file]);
    }
    for (const QString &log : hookLogs(attempt, node.planned.node))
        copies << (m_places->sees(*node.prepared, log) ? QString() : log);
    if (copies.count(QString()) == copies.size())
        return;
    LogMirror::Options options;
    options.compress = true; // ssh's own compression is off.
    options.followAll = m_record.spec.nodes.mirror;
    node.logs = std::make_unique<NodeLogs>(*node.link, copies, options);
    connect(node.logs.get(), &NodeLogs::failed, this, &NodeAgents::noted);
    connect(node.logs.get(), &NodeLogs::progressed, this, [&node](qint64 left) { node.logBytesLeft = left; });
    node.logs->show(node.ownOf(m_shown));
}

void NodeAgents::take(Node &node, RunEvent event)
{
    // An agent speaks of its own node's processes only.
    if (event.process >= 0) {
        if (m_tools.value(event.process) == node.planned.node) {
            Q_EMIT happened(event);
            return;
        }
        if (!node.isOwn(event.process, m_record.plan))
            return;
        // Its log may say why it has failed.
        if (node.logs && event.status && !event.status->isSuccess())
            node.logs->want({event.process});
        event.process += node.firstProcess;
    }
    Q_EMIT happened(event);
    if (event.kind == RunEvent::Kind::NodeDone && node.logs)
        node.logs->finish();
    if (event.kind == RunEvent::Kind::NodeDone && node.logBytesLeft > notedLogBytes)
        Q_EMIT noted(tr("The processes on %1 have ended; %2 of their logs are still being copied.")
                         .arg(node.planned.node, QLocale::c().formattedDataSize(node.logBytesLeft)));
}

void NodeAgents::take(const Node &node, const NodeSample &sample)
{
    NodeSample own = sample;
    own.node = node.planned.node;
    own.chips.clear();
    own.loads.clear();
    for (auto chip = sample.chips.begin(); chip != sample.chips.end(); ++chip) {
        if (node.isOwn(chip.key(), m_record.plan))
            own.chips.insert(chip.key() + node.firstProcess, chip.value());
    }
    for (auto load = sample.loads.begin(); load != sample.loads.end(); ++load) {
        if (node.isOwn(load.key(), m_record.plan))
            own.loads.insert(load.key() + node.firstProcess, load.value());
    }
    for (QList<DeviceUser> &users : own.users) {
        for (DeviceUser &user : users)
            user.owner = node.isOwn(user.owner, m_record.plan) ? user.owner + node.firstProcess : -1;
    }
    Q_EMIT sampled(own);
}

void NodeAgents::sample(const SampleWish &wish, std::chrono::milliseconds interval)
{
    m_wish = wish;
    m_sampleInterval = interval;
    for (const Node *node : m_open) {
        if (node->link->isReady())
            orderSamples(*node);
    }
}

void NodeAgents::orderSamples(const Node &node) const
{
    AgentOrder order;
    order.kind = AgentOrder::Kind::Sample;
    order.intervalMs = static_cast<int>(m_sampleInterval.count());
    order.processes = node.ownOf({m_wish.detailed});
    node.link->order(order);
}

/// Repeats the orders that may not have arrived while the stream was broken. Starts nothing.
void NodeAgents::resume(Node &node)
{
    Q_EMIT linkBack(node.planned.node);
    Q_EMIT agentStarted(node.planned.node, node.link->localPid());
    for (const EndRequest &request : m_endRequests)
        orderProcesses(node, request.processes, request.kill);
    if (m_end)
        node.link->order({*m_end, {}, {}});
    orderSamples(node);
    if (node.logs)
        node.logs->goOn();
}

void NodeAgents::endOf(Node &node, const QString &how, const QDateTime &since)
{
    m_open.erase(std::remove(m_open.begin(), m_open.end(), &node), m_open.end());
    node.logs.reset();
    if (!node.link->isDone() && !(m_end && !node.link->isReady())) {
        if (!node.link->isReady() && isForNamedNodes())
            giveUp(node.planned.node,
                   node.link->transport().problem().value_or(problemOfReaching(how, node.planned.host)));
        else
            Q_EMIT lost(node.planned.node, how, since);
    }
    Q_EMIT ended();
}

/// The first node's problem is the launch's.
void NodeAgents::giveUp(const QString &node, const Error &problem)
{
    if (std::exchange(m_gaveUp, true))
        return;
    Q_EMIT notPrepared(node, problem);
    orderAll(AgentOrder::Kind::Kill);
}

void NodeAgents::orderAll(AgentOrder::Kind end)
{
    m_end = end;
    const auto open = m_open; // A copy: abort() may remove a node from the list.
    for (Node *node : open) {
        if (node->link->isReady())
            node->link->order({end, {}, {}});
        else if (isForNamedNodes())
            node->link->abort();
    }
}

void NodeAgents::endProcesses(const QList<int> &processes, bool kill)
{
    m_endRequests.push_back({processes, kill});
    if (!m_started)
        m_unwanted += processes;
    for (const Node *node : m_open) {
        if (node->link->isReady())
            orderProcesses(*node, processes, kill);
    }
}

/// Sends the order, with its own ones of these processes, to each node that has some.
void NodeAgents::orderOwn(AgentOrder order, const QList<int> &processes) const
{
    for (const Node *node : m_open) {
        order.processes = node->ownOf(processes);
        if (!order.processes.isEmpty())
            node->link->order(order);
    }
}

void NodeAgents::dumpStacks(const QList<int> &processes, int dumpSignal, bool isUrgent)
{
    AgentOrder order;
    order.kind = AgentOrder::Kind::DumpStacks;
    order.dumpSignal = dumpSignal;
    order.isUrgent = isUrgent;
    orderOwn(order, processes);
}

void NodeAgents::attachTool(int index, int process, const ProcessPlan &tool)
{
    for (const Node *node : m_open) {
        const QList<int> own = node->ownOf({process});
        if (own.isEmpty() || !node->link->isReady())
            continue;
        AgentOrder order;
        order.kind = AgentOrder::Kind::AttachTool;
        order.plan.processes = {tool};
        order.processes = {index, own.first()};
        m_tools.insert(index, node->planned.node);
        node->link->order(order);
    }
}

void NodeAgents::sendSignal(const QList<int> &processes, int number)
{
    AgentOrder order;
    order.kind = AgentOrder::Kind::Signal;
    order.signalNumber = number;
    orderOwn(order, processes);
}

void NodeAgents::type(const TerminalInput &input)
{
    for (const Node *node : m_open) {
        AgentOrder order;
        order.kind = AgentOrder::Kind::Type;
        order.input = input;
        order.input.processes = ownWithTools(*node, input.processes);
        if (node->link->isReady() && !order.input.processes.isEmpty())
            node->link->order(order);
    }
}

void NodeAgents::showLogs(const QList<int> &processes)
{
    m_shown = processes;
    for (Node *node : m_open) {
        if (node->logs)
            node->logs->show(node->ownOf(processes));
    }
}

/// Returns the processes of these that are on the node, and its tools, which keep their index.
QList<int> NodeAgents::ownWithTools(const Node &node, const QList<int> &processes) const
{
    QList<int> owned = node.ownOf(processes);
    for (const int process : processes) {
        if (m_tools.value(process) == node.planned.node)
            owned << process;
    }
    return owned;
}

void NodeAgents::orderProcesses(const Node &node, const QList<int> &processes, bool kill) const
{
    AgentOrder order;
    order.kind = kill ? AgentOrder::Kind::KillProcesses : AgentOrder::Kind::StopProcesses;
    order.processes = ownWithTools(node, processes);
    if (!order.processes.isEmpty())
        node.link->order(order);
}

QStringList NodeAgents::continueStopped()
{
    QStringList nodes;
    for (const Node *node : m_open) {
        if (node->link->continueIfStopped())
            nodes << node->planned.node;
    }
    return nodes;
}

} // namespace rankdeck

#include "agent/head/nodeagents.h"

#include "agent/node/nodepreparation.h"
#include "base/program.h"
#include "launch/nodes/nodesplan.h"
#include "launch/nodes/planlaunch.h"
#include "launch/planning/attempt.h"

#include <QDir>
#include <QFile>
#include <QLocale>
#include <QSysInfo>
#include <QUuid>

namespace rankdeck
{

/// Log transfers above this size are reported in the journal.
constexpr qint64 notedLogBytes = 16 * 1024 * 1024;
/// No reader takes more of a dump.
constexpr qint64 mostDumpBytes = 256 * 1024 * 1024;

using Agents = std::vector<std::unique_ptr<NodeAgent>>;

/// Plans the launch by what all nodes have said of themselves.
static Result<LaunchPlan> planFor(const RunRecord &record, const Agents &agents)
{
    LaunchSpec spec = record.spec;
    spec.nodes = {}; // Already resolved above.
    const auto own = gatherLaunchFacts(spec);
    if (!own)
        return own.error();
    std::vector<NodeFacts> nodes;
    for (const auto &node : agents) {
        HostFacts facts = *node->facts;
        facts.environment = own->environment;
        facts.envFiles = own->envFiles;
        facts.transport = record.plan.transport;
        facts.routes.insert(own->routes);
        nodes.push_back({node->planned.host, facts});
    }
    auto plan = planNodes(record.spec, record.plan.rankTable, record.plan.rankTableFile, nodes);
    if (!plan)
        return plan.error();
    // The record has the rank table as it was read, which may hold more than the table that was planned.
    for (std::size_t index = 0; index < plan->files.size() && index < record.plan.files.size(); ++index)
        plan->files[index].content = record.plan.files[index].content;
    return plan;
}

static AgentOrder orderToGather(const RunRecord &record, const QString &rejoinId)
{
    return {.kind = AgentOrder::Kind::Gather,
            .spec = record.spec,
            .environment = environmentForNodes(QProcessEnvironment::systemEnvironment(),
                                               transportFrom(record.plan.transport)),
            .silenceSeconds = record.spec.nodes.silenceSeconds,
            .rejoinId = rejoinId};
}

/// Returns sentences on who holds devices or ports of a node.
static QStringList notesOn(const Holders &holders, const QString &node)
{
    QStringList notes;
    if (holders.npuProblem)
        notes << NodeAgents::tr("%1: %2").arg(node, holders.npuProblem->sentence());
    for (Holder holder : holders.list) {
        holder.node = node;
        notes << (holder.isOurs() ? NodeAgents::tr("%1 To stop it, on %2: %3")
                                        .arg(holder.sentence(), holder.stopHost(), holder.stopCommand())
                                  : holder.sentence());
    }
    return notes;
}

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
    m_nodes.push_back(std::make_unique<NodeAgent>());
    NodeAgent &node = *m_nodes.back();
    node.planned = planned;
    node.processCount = static_cast<int>(m_record.plan.processes.size());
    node.link = std::make_unique<AgentLink>(makeTransport(transportFrom(m_record.plan.transport),
                                                          planned.host, m_record.spec.nodes, programPath()),
                                            planned.node);
    node.link->setSilenceLimit(std::chrono::seconds(m_record.spec.nodes.silenceSeconds));
    m_open.push_back(&node);
    connect(&node.link->transport(), &AgentTransport::noted, this, &NodeAgents::noted);
    connect(node.link.get(), &AgentLink::ready, this, [this, &node] { greet(node); });
    connect(node.link.get(), &AgentLink::happened, this,
            [this, &node](const RunEvent &event) { take(node, event); });
    connect(node.link.get(), &AgentLink::sampled, this, [this, &node](const NodeSample &sample) {
        Q_EMIT sampled(node.ownSample(sample, m_record.plan));
    });
    connect(node.link.get(), &AgentLink::dumpPiece, this,
            [this, &node](const QByteArray &bytes) { takeDump(node, bytes); });
    connect(node.link.get(), &AgentLink::gathered, this,
            [this, &node](const GatheredFacts &gathered) { takeFacts(node, gathered.facts); });
    connect(node.link.get(), &AgentLink::prepared, this,
            [this, &node](const PreparedNode &prepared) { takePrepared(node, prepared); });
    connect(node.link.get(), &AgentLink::held, this, [this, &node](const Holders &holders) {
        for (const QString &note : notesOn(holders, node.planned.node))
            Q_EMIT noted(note);
    });
    connect(node.link.get(), &AgentLink::ended, this,
            [this, &node](const QString &how, const QDateTime &since) { endOf(node, how, since); });
    const TransportKind kind = transportFrom(m_record.plan.transport);
    if (kind != TransportKind::Local)
        node.link->mapClock();
    if (kind == TransportKind::Ssh || kind == TransportKind::Command)
        makeWayBack(node, kind);
}

void NodeAgents::makeWayBack(NodeAgent &node, TransportKind kind)
{
    node.rejoinId = QUuid::createUuid().toString(QUuid::Id128);
    connect(node.link.get(), &AgentLink::ready, this,
            [this, &node, kind] { node.makeWayBack(kind, m_record.spec.nodes); });
    connect(node.link.get(), &AgentLink::interrupted, this,
            [this, &node](const QString &how, const QDateTime &since) {
                Q_EMIT linkLost(node.planned.node, how, since);
            });
    connect(node.link.get(), &AgentLink::rejoined, this, [this, &node] { resume(node); });
}

void NodeAgents::greet(NodeAgent &node)
{
    Q_EMIT agentStarted(node.planned.node, node.link->localPid());
    // A stop was requested before the agent connected: start nothing.
    if (m_end || m_gaveUp) {
        node.link->order({AgentOrder::Kind::Kill});
    } else if (isForNamedNodes()) {
        node.link->order(orderToGather(m_record, node.rejoinId));
    } else {
        node.link->order({AgentOrder::Kind::Start, forAttempt(m_record.plan, m_attempt), node.planned.node});
        node.orderEnd(m_unwanted, true);
        if (m_sampleInterval.count() > 0)
            node.orderSamples(m_wish, m_sampleInterval);
    }
}

void NodeAgents::takeFacts(NodeAgent &node, const HostFacts &facts)
{
    node.facts = facts;
    if (m_end || m_gaveUp || m_started ||
        !std::ranges::all_of(m_nodes, [](const auto &other) { return other->facts.has_value(); }))
        return;
    planAll();
}

void NodeAgents::planAll()
{
    if (!m_unplaced) {
        auto plan = planFor(m_record, m_nodes);
        if (!plan) {
            giveUp({}, plan.error());
            return;
        }
        m_unplaced = std::move(plan.value());
    }
    prepareAll();
}

void NodeAgents::prepareAll()
{
    m_places = std::make_unique<LogPlaces>(m_directory, *m_unplaced);
    for (const PlannedNode &planned : m_unplaced->nodes) {
        const auto found = std::ranges::find_if(
            m_nodes, [&](const auto &known) { return known->planned.host == planned.host; });
        if (found == m_nodes.end())
            continue;
        NodeAgent &node = **found;
        node.takeShare(*m_unplaced, planned);
        node.link->order({.kind = AgentOrder::Kind::Prepare,
                          .plan = shareOf(forAttempt(*m_unplaced, m_attempt), planned.node),
                          .node = planned.node,
                          .runDirectory = m_directory,
                          .probes = m_places->asked(),
                          .head = QSysInfo::machineHostName()});
    }
}

void NodeAgents::takePrepared(NodeAgent &node, const PreparedNode &prepared)
{
    if (prepared.problem) {
        giveUp(node.planned.node, *prepared.problem);
        return;
    }
    if (prepared.files.size() != node.processCount) {
        giveUp(node.planned.node, {tr("its agent prepared other processes than requested"), {}, {}});
        return;
    }
    node.prepared = prepared;
    if (!m_end && !m_gaveUp &&
        std::ranges::all_of(m_nodes, [](const auto &other) { return other->prepared.has_value(); }))
        startAll();
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
        node->seesRunDirectory = m_places->sees(*node->prepared, m_directory);
        followLogs(*node, attempt);
        node->link->order({.kind = AgentOrder::Kind::StartPrepared, .copiesLogs = node->logs != nullptr});
        node->orderEnd(m_unwanted, true);
        if (m_sampleInterval.count() > 0)
            node->orderSamples(m_wish, m_sampleInterval);
    }
    m_places.reset();
}

/// Returns the plan with the places where all files are read here; nothing if a node names another place.
std::optional<LaunchPlan> NodeAgents::placedPlan()
{
    LaunchPlan plan = withRunDirectory(*m_unplaced, m_directory);
    const LaunchPlan planned = forAttempt(plan, m_attempt);
    for (const auto &node : m_nodes) {
        if (const auto error = node->place(plan, planned, *m_places)) {
            giveUp(node->planned.node, *error);
            return std::nullopt;
        }
    }
    return plan;
}

void NodeAgents::followLogs(NodeAgent &node, const LaunchPlan &attempt)
{
    if (!node.copyLogs(attempt, *m_places, m_record.spec.nodes.mirror))
        return;
    connect(node.logs.get(), &NodeLogs::failed, this, &NodeAgents::noted);
    connect(node.logs.get(), &NodeLogs::progressed, this, [&node](qint64 left) { node.logBytesLeft = left; });
    node.logs->show(node.ownOf(m_shown));
}

void NodeAgents::take(NodeAgent &node, RunEvent event)
{
    // An agent speaks of its own node's processes only.
    if (event.process >= 0) {
        if (node.tools.contains(event.process)) {
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
    if (event.kind == RunEvent::Kind::AgentEnds)
        event.node = node.planned.node;
    Q_EMIT happened(event);
    if (event.kind == RunEvent::Kind::NodeDone && node.logs)
        node.logs->finish();
    if (event.kind == RunEvent::Kind::NodeDone && node.logBytesLeft > notedLogBytes)
        Q_EMIT noted(tr("The processes on %1 have ended; %2 of their logs are still being copied.")
                         .arg(node.planned.node, QLocale::c().formattedDataSize(node.logBytesLeft)));
}

void NodeAgents::sample(const SampleWish &wish, std::chrono::milliseconds interval)
{
    m_wish = wish;
    m_sampleInterval = interval;
    for (const NodeAgent *node : m_open) {
        if (node->link->isReady())
            node->orderSamples(m_wish, m_sampleInterval);
    }
}

/// Repeats the orders that may not have arrived while the stream was broken. Starts nothing.
void NodeAgents::resume(NodeAgent &node)
{
    Q_EMIT linkBack(node.planned.node);
    Q_EMIT agentStarted(node.planned.node, node.link->localPid());
    for (const EndRequest &request : m_endRequests)
        node.orderEnd(request.processes, request.kill);
    if (m_end)
        node.link->order({*m_end});
    node.orderSamples(m_wish, m_sampleInterval);
    if (node.logs)
        node.logs->goOn();
}

void NodeAgents::endOf(NodeAgent &node, const QString &how, const QDateTime &since)
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
    for (NodeAgent *node : open) {
        if (node->link->isReady())
            node->link->order({end});
        else if (isForNamedNodes())
            node->link->abort();
    }
}

void NodeAgents::endProcesses(const QList<int> &processes, bool kill)
{
    m_endRequests.push_back({processes, kill});
    if (!m_started)
        m_unwanted += processes;
    for (const NodeAgent *node : m_open) {
        if (node->link->isReady())
            node->orderEnd(processes, kill);
    }
}

void NodeAgents::startProcesses(const QList<int> &processes)
{
    // Their end was asked for in an earlier life.
    for (EndRequest &request : m_endRequests)
        request.processes.removeIf([&](int process) { return processes.contains(process); });
    orderOwn({.kind = AgentOrder::Kind::StartProcesses}, processes);
}

/// Sends the order, with its own ones of these processes, to each node that has some.
void NodeAgents::orderOwn(AgentOrder order, const QList<int> &processes) const
{
    for (const NodeAgent *node : m_open) {
        order.processes = node->ownOf(processes);
        if (!order.processes.isEmpty())
            node->link->order(order);
    }
}

void NodeAgents::dumpStacks(const QList<int> &processes, int dumpSignal, bool isUrgent)
{
    orderOwn({.kind = AgentOrder::Kind::DumpStacks, .dumpSignal = dumpSignal, .isUrgent = isUrgent},
             processes);
}

QStringList NodeAgents::dumpRecorders(const QString &folder, std::chrono::seconds limit)
{
    QStringList asked;
    m_dumpFolder = folder;
    for (const NodeAgent *node : m_open) {
        if (!node->link->isReady() || (isForNamedNodes() && !m_started))
            continue;
        asked << node->planned.node;
        node->link->order({.kind = AgentOrder::Kind::DumpRecorders,
                           .sendsDumps = !node->seesRunDirectory,
                           .seconds = static_cast<int>(limit.count())});
    }
    return asked;
}

/// Pieces come in order, and only of files that were asked for.
void NodeAgents::takeDump(const NodeAgent &node, const QByteArray &bytes)
{
    const auto piece = DumpPiece::fromBytes(bytes);
    if (!piece || node.seesRunDirectory || m_dumpFolder.isEmpty())
        return;
    QDir().mkpath(m_dumpFolder);
    QFile file(m_dumpFolder + QLatin1Char('/') + piece->name);
    const bool isWithinLimit = piece->isFirst || file.size() < mostDumpBytes;
    if (isWithinLimit && file.open(piece->isFirst ? QIODevice::WriteOnly : QIODevice::Append))
        file.write(piece->bytes);
}

void NodeAgents::attachTool(int index, int process, const ProcessPlan &tool)
{
    for (NodeAgent *node : m_open) {
        if (node->link->isReady())
            node->attachTool(index, process, tool);
    }
}

void NodeAgents::nameRank(int index, const ProcessPlan &found, qint64 pid)
{
    // Only a launch of one node finds ranks.
    for (NodeAgent *node : m_open) {
        node->processCount = std::max(node->processCount, index + 1 - node->firstProcess);
        AgentOrder order{.kind = AgentOrder::Kind::NameRank};
        order.plan.processes = {found};
        order.processes = {index, static_cast<int>(pid)};
        node->link->order(order);
    }
}

void NodeAgents::sendSignal(const QList<int> &processes, int number)
{
    orderOwn({.kind = AgentOrder::Kind::Signal, .signalNumber = number}, processes);
}

void NodeAgents::type(const TerminalInput &input)
{
    for (const NodeAgent *node : m_open) {
        AgentOrder order{.kind = AgentOrder::Kind::Type, .input = input};
        order.input.processes = node->ownWithTools(input.processes);
        if (node->link->isReady() && !order.input.processes.isEmpty())
            node->link->order(order);
    }
}

void NodeAgents::showLogs(const QList<int> &processes)
{
    m_shown = processes;
    for (NodeAgent *node : m_open) {
        if (node->logs)
            node->logs->show(node->ownOf(processes));
    }
}

QStringList NodeAgents::continueStopped()
{
    QStringList nodes;
    for (const NodeAgent *node : m_open) {
        if (node->link->continueIfStopped())
            nodes << node->planned.node;
    }
    return nodes;
}

} // namespace rankdeck

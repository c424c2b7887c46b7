#include "agent/head/nodeagents.h"

#include "agent/node/nodepreparation.h"
#include "base/listcomma.h"
#include "base/program.h"
#include "launch/plan/attempt.h"

#include <QLocale>
#include <QUuid>

namespace rankdeck
{

/// Log transfers above this size are reported in the journal.
constexpr qint64 notedLogBytes = 16 * 1024 * 1024;

static orders::Gather orderToGather(const RunRecord &record, const QString &rejoinId)
{
    return {.spec = record.spec,
            .environment = environmentForNodes(QProcessEnvironment::systemEnvironment(),
                                               transportFrom(record.plan.transport)),
            .silenceSeconds = record.spec.nodes.silenceSeconds,
            .rejoinId = rejoinId};
}

/// Returns sentences on who holds devices or ports of a node.
static QList<Sentence> notesOn(const Holders &holders, const QString &node)
{
    QList<Sentence> notes;
    if (holders.npuProblem)
        notes << withColon(node, holders.npuProblem->sentence());
    for (Holder holder : holders.list) {
        holder.node = node;
        notes << (holder.isOurs() ? Sentence::tr("%1 To stop it, on %2: %3")
                                        .arg(holder.sentence(), holder.stopHost(), holder.stopCommand())
                                  : Sentence(holder.sentence()));
    }
    return notes;
}

NodeAgents::NodeAgents(const RunRecord &record, QString runDirectory, std::optional<LaunchPlan> unplaced)
    : m_record(record)
    , m_preparation(record, m_nodes, runDirectory, std::move(unplaced))
    , m_directory(std::move(runDirectory))
{
    connect(&m_preparation, &LaunchPreparation::done, this, &NodeAgents::startAll);
    connect(&m_preparation, &LaunchPreparation::refused, this, &NodeAgents::giveUp);
    connect(&m_slurm, &SlurmJobQuestion::answered, this, &NodeAgents::takeSlurmState);
}

void NodeAgents::start(int attempt)
{
    m_attempt = attempt;
    m_preparation.begin(attempt);
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
            [this, &node](const QByteArray &bytes) { node.keepDump(bytes, m_dumpFolder); });
    connect(node.link.get(), &AgentLink::gathered, this,
            [this, &node](const GatheredFacts &gathered) { m_preparation.takeFacts(node, gathered.facts); });
    connect(node.link.get(), &AgentLink::prepared, this,
            [this, &node](const PreparedNode &prepared) { m_preparation.takePrepared(node, prepared); });
    connect(node.link.get(), &AgentLink::held, this, [this, &node](const Holders &holders) {
        for (const Sentence &note : notesOn(holders, node.planned.node))
            Q_EMIT noted(note);
    });
    connect(node.link.get(), &AgentLink::ended, this,
            [this, &node](const Sentence &how, const QDateTime &since) { endOf(node, how, since); });
    const TransportKind kind = transportFrom(m_record.plan.transport);
    if (kind != TransportKind::Local)
        node.link->mapClock();
    if (kind == TransportKind::Ssh || kind == TransportKind::Command)
        makeWayBack(node, kind);
    else if (kind == TransportKind::Slurm)
        askSlurmAboutSilence(node);
}

/// Slurm may have suspended the job, for hours, for one that counts more.
void NodeAgents::askSlurmAboutSilence(NodeAgent &node)
{
    node.link->askAboutSilence();
    connect(node.link.get(), &AgentLink::silent, &m_slurm, &SlurmJobQuestion::ask);
    connect(node.link.get(), &AgentLink::heardAgain, this, [this] {
        if (std::exchange(m_isSuspended, false))
            Q_EMIT noted(Sentence::tr("The Slurm job %1 goes on.").arg(qEnvironmentVariable("SLURM_JOB_ID")));
    });
}

void NodeAgents::takeSlurmState(const QString &job, const QString &state)
{
    const bool isSuspended = state == "SUSPENDED"_L1;
    if (isSuspended && !std::exchange(m_isSuspended, true))
        Q_EMIT noted(Sentence::tr("The Slurm job %1 is %2.").arg(job, state.toLower()));
    const auto open = m_open; // A copy: the end of one may remove it from the list.
    for (NodeAgent *node : open)
        isSuspended ? node->link->bearSilence() : node->link->endSilence();
}

void NodeAgents::makeWayBack(NodeAgent &node, TransportKind kind)
{
    node.rejoinId = QUuid::createUuid().toString(QUuid::Id128);
    connect(node.link.get(), &AgentLink::ready, this,
            [this, &node, kind] { node.makeWayBack(kind, m_record.spec.nodes); });
    connect(node.link.get(), &AgentLink::interrupted, this,
            [this, &node](const Sentence &how, const QDateTime &since) {
                Q_EMIT linkLost(node.planned.node, how, since);
            });
    connect(node.link.get(), &AgentLink::rejoined, this, [this, &node] { resume(node); });
}

void NodeAgents::greet(NodeAgent &node)
{
    Q_EMIT agentStarted(node.planned.node, node.started());
    // A stop was requested before the agent connected: start nothing.
    if (m_end || m_gaveUp) {
        node.link->order(orders::Kill());
    } else if (isForNamedNodes()) {
        node.link->order(orderToGather(m_record, node.rejoinId));
    } else {
        node.link->order(orders::Start{forAttempt(m_record.plan, m_attempt), node.planned.node});
        orderWhatWaits(node);
    }
}

void NodeAgents::startAll(const LaunchPlan &plan)
{
    const LogPlaces &places = m_preparation.places();
    m_started = true;
    Q_EMIT planned(plan);
    const LaunchPlan attempt = forAttempt(plan, m_attempt);
    for (const auto &node : m_nodes) {
        node->seesRunDirectory = places.sees(*node->prepared, m_directory);
        if (node->copyLogs(attempt, places, m_record.spec.nodes.mirror))
            followLogs(*node);
        node->link->order(orders::StartPrepared{node->logs != nullptr});
        orderWhatWaits(*node);
    }
}

/// Sends what was asked for before the node's processes were started.
void NodeAgents::orderWhatWaits(const NodeAgent &node) const
{
    node.orderEnd(m_unwanted, true);
    if (m_sampleInterval.count() > 0)
        node.orderSamples(m_wish, m_sampleInterval);
}

void NodeAgents::followLogs(NodeAgent &node)
{
    connect(node.logs.get(), &NodeLogs::failed, this, &NodeAgents::noted);
    connect(node.logs.get(), &NodeLogs::progressed, this, [&node](qint64 left) { node.logBytesLeft = left; });
    node.logs->show(node.ownOf(m_shown));
}

void NodeAgents::take(NodeAgent &node, RunEvent event)
{
    // An agent speaks of its own node's processes only.
    if (const int process = event.process(); process >= 0) {
        if (node.tools.contains(process)) {
            Q_EMIT happened(event);
            return;
        }
        if (!node.isOwn(process, m_record.plan))
            return;
        // Its log may say why it has failed.
        if (const auto status = event.status(); node.logs && status && !status->isSuccess())
            node.logs->want({process});
        event.moveProcess(node.firstProcess);
    }
    if (event.is<events::AgentEnds>())
        event.node = node.planned.node;
    Q_EMIT happened(event);
    const bool isDone = event.is<events::NodeDone>();
    if (isDone && node.logs)
        node.logs->finish();
    if (isDone && node.logBytesLeft > notedLogBytes)
        Q_EMIT noted(Sentence::tr("The processes on %1 have ended; %2 of their logs are still being copied.")
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
    Q_EMIT agentStarted(node.planned.node, node.started());
    for (const EndRequest &request : m_endRequests)
        node.orderEnd(request.processes, request.kill);
    if (m_end)
        node.link->order(*m_end);
    node.orderSamples(m_wish, m_sampleInterval);
    if (node.logs)
        node.logs->goOn();
}

void NodeAgents::endOf(NodeAgent &node, const Sentence &how, const QDateTime &since)
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
    orderAll(orders::Kill());
}

void NodeAgents::orderAll(const AgentOrder &end)
{
    m_end = end;
    m_preparation.cancel();
    const auto open = m_open; // A copy: abort() may remove a node from the list.
    for (NodeAgent *node : open) {
        if (node->link->isReady())
            node->link->order(end);
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
    order(orders::StartProcesses{processes});
}

void NodeAgents::dumpStacks(const QList<int> &processes, int dumpSignal, bool isUrgent)
{
    order(orders::DumpStacks{processes, dumpSignal, isUrgent});
}

QStringList NodeAgents::dumpRecorders(const QString &folder, std::chrono::seconds limit)
{
    QStringList asked;
    m_dumpFolder = folder;
    for (const NodeAgent *node : m_open) {
        if (!node->link->isReady() || (isForNamedNodes() && !m_started))
            continue;
        asked << node->planned.node;
        node->link->order(orders::DumpRecorders{!node->seesRunDirectory, static_cast<int>(limit.count())});
    }
    return asked;
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
    for (NodeAgent *node : m_open) // Only a launch of one node finds ranks.
        node->nameRank(index, found, pid);
}

void NodeAgents::type(const TerminalInput &input)
{
    for (const NodeAgent *node : m_open) {
        if (node->link->isReady())
            node->type(input);
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

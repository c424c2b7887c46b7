#include "agent/head/launchpreparation.h"

#include "launch/nodes/nodesplan.h"
#include "launch/nodes/planlaunch.h"
#include "launch/plan/attempt.h"

#include <QSysInfo>

namespace rankdeck
{

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

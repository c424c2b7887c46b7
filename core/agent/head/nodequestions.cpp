#include "agent/nodeholders.h"

#include "agent/nodepreparation.h"
#include "agent/transport/transports.h"
#include "launch/nodesplan.h"
#include "rankdeckctlpath.h"

#include <algorithm>

namespace rankdeck
{

NodeHolders::NodeHolders(const LaunchPlan &plan, const NodeOptions &options,
                         const QProcessEnvironment &environment, QObject *parent)
    : QObject(parent)
{
    const auto program = rankdeckctlPath();
    for (const PlannedNode &planned : plan.nodes) {
        m_nodes.push_back(std::make_unique<Node>());
        Node &node = *m_nodes.back();
        node.name = planned.node;
        node.order.node = planned.node;
        node.order.plan = shareOf(plan, planned.node);
        node.order.environment = environmentForNodes(environment);
        node.link =
            std::make_unique<AgentLink>(makeTransport(transportFrom(plan.transport), planned.host, options,
                                                      program ? *program : QString(), CopyPolicy::OnlySay),
                                        planned.node);
        connect(node.link.get(), &AgentLink::ready, this, [&node] {
            node.order.kind = AgentOrder::Kind::FindHolders;
            node.link->order(node.order);
        });
        connect(node.link.get(), &AgentLink::held, this,
                [this, &node](const Holders &holders) { take(node, holders); });
        connect(node.link.get(), &AgentLink::ended, this, [this, &node] { lose(node); });
    }
}

NodeHolders::~NodeHolders()
{
    for (const auto &node : m_nodes)
        node->link->disconnect(this);
}

void NodeHolders::ask()
{
    for (const auto &node : m_nodes)
        node->link->start();
}

void NodeHolders::end()
{
    m_isEnding = true;
    for (const auto &node : m_nodes) {
        const bool hasOurs = std::any_of(node->answer->list.begin(), node->answer->list.end(),
                                         [](const Holder &holder) { return holder.isOurs(); });
        if (!hasOurs) {
            node->answer = Holders();
            continue;
        }
        node->answer.reset();
        node->order.kind = AgentOrder::Kind::EndHolders;
        node->link->order(node->order);
    }
    concludeIfAllHaveAnswered();
}

void NodeHolders::take(Node &node, const Holders &holders)
{
    if (node.answer)
        return;
    node.answer = holders;
    for (Holder &holder : node.answer->list)
        holder.node = node.name;
    if (node.answer->npuProblem)
        node.answer->npuProblem->what = tr("%1: %2").arg(node.name, node.answer->npuProblem->what);
    concludeIfAllHaveAnswered();
}

/// Of a node that is lost before it has ended what it was to end nobody knows.
void NodeHolders::lose(Node &node)
{
    if (node.answer)
        return;
    Holders nothing;
    if (m_isEnding)
        nothing.npuProblem = Error{tr("the node was lost before the runs there had ended"), {}, {}};
    take(node, nothing);
}

void NodeHolders::concludeIfAllHaveAnswered()
{
    Holders all;
    for (const auto &node : m_nodes) {
        if (!node->answer)
            return;
        all.list += node->answer->list;
        if (!all.npuProblem)
            all.npuProblem = node->answer->npuProblem;
    }
    if (m_isEnding)
        Q_EMIT ended(all.npuProblem);
    else
        Q_EMIT found(all);
}

} // namespace rankdeck

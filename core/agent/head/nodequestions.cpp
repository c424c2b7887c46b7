#include "agent/head/nodequestions.h"

#include "agent/node/nodepreparation.h"
#include "base/program.h"
#include "launch/nodes/nodesplan.h"

#include <QLocale>

#include <cmath>

namespace rankdeck
{

constexpr int timeoutMs = 25000;
/// Ranks, and readers of their logs, compare times between nodes.
constexpr double largeOffsetMs = 1000;

/// Returns what a user should know of a node that answers.
static QString oddities(const NodeTestResult &result)
{
    QStringList found;
    const QString own = QCoreApplication::applicationVersion();
    if (result.description->version != own)
        found << tr("Rankdeck is %1 there and %2 here.").arg(result.description->version, own);
    if (std::abs(result.clockOffsetMs) > largeOffsetMs)
        found << (result.clockOffsetMs > 0 ? tr("Its clock is %1 s ahead.") : tr("Its clock is %1 s behind."))
                     .arg(std::abs(result.clockOffsetMs) / 1000, 0, 'f', 1);
    return found.join(' '_L1);
}

NodeHolders::NodeHolders(const LaunchPlan &plan, const NodeOptions &options,
                         const QProcessEnvironment &environment, QObject *parent)
    : QObject(parent)
{
    const auto program = rankdeckctlPath();
    for (const PlannedNode &planned : plan.nodes) {
        m_nodes.push_back(std::make_unique<Node>());
        Node &node = *m_nodes.back();
        node.name = planned.node;
        node.share.node = planned.node;
        node.share.plan = shareOf(plan, planned.node);
        node.share.environment = environmentForNodes(environment, transportFrom(plan.transport));
        node.link =
            std::make_unique<AgentLink>(makeTransport(transportFrom(plan.transport), planned.host, options,
                                                      program ? *program : QString(), CopyPolicy::OnlySay),
                                        planned.node);
        connect(node.link.get(), &AgentLink::ready, this,
                [&node] { node.link->order(orders::FindHolders{node.share}); });
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
        const bool hasOurs = std::ranges::any_of(node->answer->list, &Holder::isOurs);
        if (!hasOurs) {
            node->answer = Holders();
            continue;
        }
        node->answer.reset();
        node->link->order(orders::EndHolders{node->share});
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

/// A node that is lost while it ends runs may not have ended them.
void NodeHolders::lose(Node &node)
{
    if (node.answer)
        return;
    Holders nothing;
    if (m_isEnding)
        nothing.npuProblem = Error{tr("the node was lost before its runs ended"), {}, {}};
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

QString wantedCopyText(const NodeTestResult &result)
{
    return tr("rankdeckctl is not installed there: a launch copies this machine's first (%1).")
        .arg(QLocale().formattedDataSize(result.wantedCopy, 0));
}

NodeTest::NodeTest(std::unique_ptr<AgentTransport> transport, const QString &node)
    : m_link(std::move(transport), node)
{
    m_result.node = node;
    connect(&m_timeout, &QTimer::timeout, this, [this] {
        m_timedOut = true;
        m_link.abort();
    });
    connect(&m_link, &AgentLink::ready, this, &NodeTest::ask);
    connect(&m_link, &AgentLink::described, this, &NodeTest::take);
    connect(&m_link, &AgentLink::ended, this, &NodeTest::conclude);
}

void NodeTest::start()
{
    m_timeout.start(timeoutMs);
    m_link.start();
}

void NodeTest::ask()
{
    m_clock.ask();
    m_link.order(orders::Describe());
}

void NodeTest::take(const NodeDescription &description)
{
    m_result.description = description;
    const bool asksAgain = m_clock.take(description);
    m_result.roundTripMs = m_clock.roundTripMs();
    m_result.clockOffsetMs = m_clock.offsetMs();
    if (asksAgain)
        ask();
    else
        m_link.order(orders::Kill()); // It has started nothing; this ends it.
}

void NodeTest::conclude(const QString &how)
{
    m_timeout.stop();
    m_result.wantedCopy = m_link.transport().wantedCopy();
    m_result.isKeyUnknown = !m_result.isUsable() && isKeyUnknown(how);
    if (m_result.description)
        m_result.problem = oddities(m_result);
    else if (m_result.isUsable())
        m_result.problem.clear();
    else if (m_timedOut)
        m_result.problem = tr("No answer within %1 s.").arg(timeoutMs / 1000);
    else
        m_result.problem =
            m_link.transport().problem().value_or(problemOfReaching(how, m_result.node)).sentence();
    Q_EMIT finished(m_result);
}

} // namespace rankdeck

#include "preflight/preflight.h"

#include "agent/agentlink.h"
#include "agent/clockcomparison.h"
#include "agent/nodepreparation.h"
#include "agent/transport/reachingproblem.h"
#include "agent/transport/transports.h"
#include "launch/nodesplan.h"
#include "preflight/nodecomparison.h"
#include "preflight/planchecks.h"
#include "preflight/selftesthead.h"
#include "preflight/testedranks.h"
#include "rankdeckctlpath.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QThread>
#include <QTimer>

#include <algorithm>
#include <vector>

namespace rankdeck
{

namespace
{

using Part = PreflightCheck::Part;
using Status = PreflightCheck::Status;

constexpr int arrivalSeconds = 10;
/// What is left for the self-test when a node's programs take all their time.
constexpr int selfTestSeconds = 10;
/// Two of each node: the others try no more.
constexpr qsizetype triedAddresses = 2;

} // namespace

class Preflight::Private : public QObject
{
    Q_DECLARE_TR_FUNCTIONS(rankdeck::Preflight)

public:
    Private(Preflight *owner, LaunchSpec spec, LaunchPlan plan, HostFacts facts, PreflightOptions options)
        : QObject(owner)
        , q(owner)
        , m_spec(std::move(spec))
        , m_plan(std::move(plan))
        , m_facts(std::move(facts))
        , m_options(std::move(options))
    {
    }

    void start();
    void cancel(const QString &why, Status status);
    const PreflightReport &report() const { return m_report; }

private:
    struct Node {
        PlannedNode planned;
        LaunchPlan share;
        std::unique_ptr<AgentLink> link;
        ClockComparison clock;
        NodeCheckEnd end;
        bool isChecked = false;
        bool hasEnded = false;
        bool wasReady = false;
    };

    void checkPlan();
    void reachNodes();
    void add(const PlannedNode &planned);
    void takeDescription(Node &node, const NodeDescription &description);
    void askToCheck(Node &node);
    void takeAnswer(Node &node, const NodeAnswer &answer);
    void takeEnd(Node &node, const QString &how);
    void goOn();
    void compareNodes();
    void startSelfTest();
    void endSelfTest();
    void endAgents();
    void finishIfDone();
    QMap<int, QString> tableIpsOf(const PlannedNode &planned) const;
    QString nameOf(const Node &node) const { return m_nodes.size() > 1 ? node.planned.node : QString(); }
    void tell(const PreflightCheck &check);
    void skipSelfTest(const QString &why);

    Preflight *q;
    LaunchSpec m_spec;
    LaunchPlan m_plan;
    HostFacts m_facts;
    PreflightOptions m_options;
    PreflightReport m_report;
    QElapsedTimer m_sinceStart;
    QTimer m_limit;
    QTimer m_arrival;
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::unique_ptr<SelfTestHead> m_selfTest;
    bool m_planIsChecked = false;
    bool m_selfTestIsDone = false;
    bool m_isEnding = false;
    bool m_isFinished = false;
};

void Preflight::Private::start()
{
    m_sinceStart.start();
    m_limit.setSingleShot(true);
    m_arrival.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this,
            [this] { cancel(tr("Not done within %1 s.").arg(m_options.limitSeconds), Status::Fail); });
    connect(&m_arrival, &QTimer::timeout, this, [this] {
        m_selfTest->giveUp(m_selfTest->missing(),
                           tr("it has not arrived within %1 s").arg(m_arrival.interval() / 1000));
    });
    m_limit.start(m_options.limitSeconds * 1000);
    checkPlan();
    reachNodes();
}

/// In the background, since it reads the rank table's file.
void Preflight::Private::checkPlan()
{
    auto checks = std::make_shared<std::vector<PreflightCheck>>();
    QThread *thread = QThread::create(
        [checks, spec = m_spec, plan = m_plan, facts = m_facts] { *checks = planChecks(spec, plan, facts); });
    connect(thread, &QThread::finished, this, [this, checks] {
        if (m_planIsChecked) // It was given up.
            return;
        for (const PreflightCheck &check : *checks)
            tell(check);
        m_planIsChecked = true;
        finishIfDone();
    });
    connect(thread, &QThread::finished, thread, &QObject::deleteLater);
    connect(
        QCoreApplication::instance(), &QObject::destroyed, thread, [thread] { thread->wait(); },
        Qt::DirectConnection);
    thread->start();
}

void Preflight::Private::reachNodes()
{
    if (m_plan.allocation) {
        tell({Part::Host,
              QStringLiteral("nodes"),
              {},
              Status::Skipped,
              tr("The launch asks Slurm for its nodes when it starts: which they are is not known yet."),
              tr("Run the preflight within an allocation (salloc), or name the nodes.")});
        skipSelfTest(tr("The nodes are not known yet."));
        return;
    }
    Q_EMIT q->progressed(m_plan.nodes.size() > 1 ? tr("Looking at %1 nodes …").arg(m_plan.nodes.size())
                                                 : tr("Looking at this node …"));
    if (m_plan.transport.isEmpty())
        add({m_plan.thisNode, {}});
    for (const PlannedNode &planned : m_plan.nodes)
        add(planned);
    // All are known before the first can answer.
    for (const auto &node : m_nodes)
        node->link->start();
}

void Preflight::Private::add(const PlannedNode &planned)
{
    m_nodes.push_back(std::make_unique<Node>());
    Node &node = *m_nodes.back();
    node.planned = planned;
    node.share = m_plan.transport.isEmpty() ? m_plan : shareOf(m_plan, planned.node);
    const auto program = rankdeckctlPath();
    node.link = std::make_unique<AgentLink>(makeTransport(transportFrom(m_plan.transport), planned.host,
                                                          m_spec.nodes, program ? *program : QString()),
                                            planned.node);
    connect(node.link.get(), &AgentLink::ready, this, [&node] {
        node.wasReady = true;
        node.clock.ask();
        node.link->order({AgentOrder::Kind::Describe, {}, {}});
    });
    connect(node.link.get(), &AgentLink::described, this,
            [this, &node](const NodeDescription &description) { takeDescription(node, description); });
    connect(node.link.get(), &AgentLink::answered, this,
            [this, &node](const NodeAnswer &answer) { takeAnswer(node, answer); });
    connect(node.link.get(), &AgentLink::rankSaid, this, [this](const RankLine &line) {
        if (m_selfTest)
            m_selfTest->take(line);
    });
    connect(node.link.get(), &AgentLink::ended, this,
            [this, &node](const QString &how) { takeEnd(node, how); });
}

void Preflight::Private::takeDescription(Node &node, const NodeDescription &description)
{
    if (node.clock.take(description)) {
        node.clock.ask();
        node.link->order({AgentOrder::Kind::Describe, {}, {}});
        return;
    }
    const QString own = QCoreApplication::applicationVersion();
    const bool isOther = description.version != own;
    tell({Part::Host, QStringLiteral("agent"), nameOf(node), isOther ? Status::Warn : Status::Pass,
          isOther ? tr("Rankdeck is %1 there and %2 here.").arg(description.version, own)
                  : tr("Rankdeck %1 answers on %2 (%3) in %4 ms.")
                        .arg(description.version, description.hostName, description.architecture,
                             QString::number(node.clock.roundTripMs(), 'f', 1)),
          isOther ? tr("Install the same version everywhere.") : QString()});
    askToCheck(node);
}

void Preflight::Private::askToCheck(Node &node)
{
    AgentOrder order;
    order.kind = AgentOrder::Kind::CheckNode;
    order.plan = node.share;
    order.environment = environmentForNodes(m_facts.environment);
    order.imports = m_options.imports;
    order.tableIps = tableIpsOf(node.planned);
    order.seconds = std::max(1, m_options.limitSeconds - selfTestSeconds);
    node.link->order(order);
}

QMap<int, QString> Preflight::Private::tableIpsOf(const PlannedNode &planned) const
{
    QMap<int, QString> addresses;
    if (const Server *server = m_plan.rankTable.findServer(planned.node)) {
        for (const Device &device : server->devices) {
            if (device.deviceId != Device::host)
                addresses.insert(device.deviceId.value, device.deviceIp);
        }
    }
    return addresses;
}

void Preflight::Private::takeAnswer(Node &node, const NodeAnswer &answer)
{
    if (answer.check) {
        PreflightCheck check = *answer.check;
        const QString name = nameOf(node);
        if (!name.isEmpty())
            check.subject = check.subject.isEmpty() ? name : tr("%1, %2").arg(name, check.subject);
        tell(check);
        return;
    }
    node.end = *answer.end;
    node.isChecked = true;
    goOn();
}

void Preflight::Private::takeEnd(Node &node, const QString &how)
{
    node.hasEnded = true;
    if (!m_isEnding && !node.isChecked) {
        const Error problem =
            node.wasReady
                ? Error{tr("its agent has ended: %1").arg(how), {}, {}}
                : node.link->transport().problem().value_or(problemOfReaching(how, node.planned.node));
        PreflightCheck check = checkOf(Part::Host, QStringLiteral("agent"), Status::Fail, problem);
        check.subject = node.planned.node;
        tell(check);
    }
    if (m_selfTest && !m_isEnding) {
        QList<int> lost;
        for (const int rank : m_selfTest->open()) {
            if (m_report.selfTestNodes.at(rank) == node.planned.node)
                lost << rank;
        }
        m_selfTest->giveUp(lost, tr("the agent on %1 has ended: %2").arg(node.planned.node, how));
        for (const int rank : lost)
            m_selfTest->take({rank, {}, true, {}});
    }
    goOn();
}

/// Once every node has said what it has to say, the ranks try each other.
void Preflight::Private::goOn()
{
    const bool allAreDone = std::all_of(m_nodes.begin(), m_nodes.end(),
                                        [](const auto &node) { return node->isChecked || node->hasEnded; });
    if (allAreDone && !m_selfTest && !m_selfTestIsDone && !m_isEnding) {
        compareNodes();
        startSelfTest();
    }
    finishIfDone();
}

void Preflight::Private::compareNodes()
{
    std::vector<ComparedNode> nodes;
    for (const auto &node : m_nodes) {
        if (node->isChecked)
            nodes.push_back({node->planned.node, node->clock.offsetMs(), node->end.tls});
    }
    for (const PreflightCheck &check : rankdeck::compareNodes(nodes))
        tell(check);
}

void Preflight::Private::startSelfTest()
{
    QStringList lost;
    for (const auto &node : m_nodes) {
        if (!node->isChecked)
            lost << node->planned.node;
    }
    if (!lost.isEmpty()) {
        skipSelfTest(tr("The ranks do not try each other, as nodes are not reached: %1.")
                         .arg(lost.join(QStringLiteral(", "))));
        return;
    }
    const TestedRanks tested = testedRanks(m_plan);
    m_report.selfTestRanks = tested.ranks;
    m_report.selfTestNodes = tested.nodes;
    for (const PreflightCheck &check : tested.checks)
        tell(check);
    m_report.selfTest = SelfTestResults(static_cast<int>(m_report.selfTestRanks.size()));
    if (m_report.selfTestRanks.isEmpty()) {
        skipSelfTest(tr("The plan starts no rank."));
        return;
    }
    Q_EMIT q->progressed(tr("%1 ranks try each other …").arg(m_report.selfTestRanks.size()));
    m_selfTest = std::make_unique<SelfTestHead>(m_report.selfTestRanks, m_report.selfTestNodes);
    connect(m_selfTest.get(), &SelfTestHead::happened, this, [this](const SelfTestEvent &event) {
        m_report.selfTest.take(event);
        if (m_arrival.isActive() && m_selfTest->missing().isEmpty())
            m_arrival.stop();
        Q_EMIT q->selfTestHappened(event);
    });
    connect(m_selfTest.get(), &SelfTestHead::over, this, &Private::endSelfTest, Qt::QueuedConnection);
    connect(m_selfTest.get(), &SelfTestHead::tell, this, [this](int rank, const QByteArray &line) {
        AgentOrder order;
        order.kind = AgentOrder::Kind::TellRank;
        order.ranks = {rank};
        order.rankLine = line;
        const auto node = std::find_if(m_nodes.begin(), m_nodes.end(), [&](const auto &each) {
            return each->planned.node == m_report.selfTestNodes.at(rank);
        });
        if (node != m_nodes.end() && !(*node)->hasEnded)
            (*node)->link->order(order);
    });
    for (const auto &node : m_nodes) {
        AgentOrder order;
        order.kind = AgentOrder::Kind::StartSelfTest;
        order.worldSize = static_cast<int>(m_report.selfTestRanks.size());
        order.arguments = {QStringLiteral("--store"), QStringLiteral("stdio"), QStringLiteral("--pace"),
                           QString::number(m_options.paceMs)};
        const QStringList addresses = m_nodes.size() > 1 ? node->end.addresses.mid(0, triedAddresses)
                                                         : QStringList{QStringLiteral("127.0.0.1")};
        for (const QString &address : addresses)
            order.arguments << QStringLiteral("--address") << address;
        for (int rank = 0; rank < order.worldSize; ++rank) {
            if (m_report.selfTestNodes.at(rank) == node->planned.node)
                order.ranks << rank;
        }
        if (!order.ranks.isEmpty())
            node->link->order(order);
    }
    m_arrival.start(std::min(arrivalSeconds, m_options.limitSeconds) * 1000);
}

void Preflight::Private::skipSelfTest(const QString &why)
{
    tell({Part::Pairs, QStringLiteral("pairs"), {}, Status::Skipped, why, {}});
    tell({Part::Collectives, QStringLiteral("collectives"), {}, Status::Skipped, why, {}});
    m_selfTestIsDone = true;
    endAgents();
}

void Preflight::Private::endSelfTest()
{
    if (m_selfTestIsDone)
        return;
    m_selfTestIsDone = true;
    m_arrival.stop();
    for (const PreflightCheck &check : m_selfTest->checks())
        tell(check);
    endAgents();
}

void Preflight::Private::endAgents()
{
    m_isEnding = true;
    for (const auto &node : m_nodes) {
        if (node->hasEnded)
            continue;
        if (node->wasReady)
            node->link->order({AgentOrder::Kind::Kill, {}, {}}); // It has started nothing of a launch.
        else
            node->link->abort();
    }
    finishIfDone();
}

void Preflight::Private::cancel(const QString &why, Status status)
{
    if (m_isFinished || (m_isEnding && status == Status::Skipped))
        return;
    if (m_isEnding) { // An agent does not end.
        for (const auto &node : m_nodes) {
            if (!node->hasEnded)
                node->link->abort();
        }
        return;
    }
    if (!m_planIsChecked)
        tell({Part::Plan, QStringLiteral("plan"), {}, status, why, {}});
    m_planIsChecked = true;
    for (const auto &node : m_nodes) {
        if (!node->isChecked && !node->hasEnded)
            tell({Part::Host, QStringLiteral("agent"), node->planned.node, status, why, {}});
    }
    if (m_selfTest) {
        m_selfTest->giveUp(m_selfTest->open(), why);
        endSelfTest();
    } else {
        skipSelfTest(why);
    }
    // Whoever does not end of itself now.
    m_limit.start(2000);
}

void Preflight::Private::tell(const PreflightCheck &check)
{
    m_report.add(check);
    Q_EMIT q->checked(check);
}

void Preflight::Private::finishIfDone()
{
    const bool haveEnded =
        std::all_of(m_nodes.begin(), m_nodes.end(), [](const auto &node) { return node->hasEnded; });
    if (!m_planIsChecked || !m_selfTestIsDone || !haveEnded || m_isFinished)
        return;
    m_isFinished = true;
    m_limit.stop();
    m_report.seconds = static_cast<double>(m_sinceStart.elapsed()) / 1000;
    Q_EMIT q->finished();
}

Preflight::Preflight(LaunchSpec spec, LaunchPlan plan, HostFacts facts, PreflightOptions options,
                     QObject *parent)
    : QObject(parent)
    , d(std::make_unique<Private>(this, std::move(spec), std::move(plan), std::move(facts),
                                  std::move(options)))
{
}

Preflight::~Preflight() = default;

void Preflight::start()
{
    d->start();
}

void Preflight::cancel()
{
    d->cancel(tr("Cancelled."), Status::Skipped);
}

const PreflightReport &Preflight::report() const
{
    return d->report();
}

} // namespace rankdeck

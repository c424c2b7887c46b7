#include "preflight/preflight.h"

#include "agent/head/nodequestions.h"
#include "agent/node/nodepreparation.h"
#include "background/inbackground.h"
#include "base/fields.h"
#include "base/language.h"
#include "base/listcomma.h"
#include "base/program.h"
#include "launch/nodes/nodesplan.h"
#include "preflight/planchecks.h"
#include "preflight/selftesthead.h"

#include <numeric>

namespace rankdeck
{

using Status = PreflightCheck::Status;
using Part = PreflightCheck::Part;

static void visitFields(Fields &fields, PairResult &pair)
{
    fields("from", pair.from);
    fields("to", pair.to);
    fields("latency_us", pair.latencyUs);
    fields("there_mbs", pair.thereMBs);
    fields("back_mbs", pair.backMBs);
    fields("problem", pair.problem);
    fields("one_host", pair.isOneHost);
}

static void visitFields(Fields &fields, CollectiveResult &collective)
{
    double bandwidth = collective.bandwidthMBs();
    fields("operation", collective.operation);
    fields("ranks", collective.ranks);
    fields("bytes", collective.bytes);
    fields("ms", collective.ms);
    fields("mbs", bandwidth);
    fields("problem", collective.problem);
}

constexpr int arrivalSeconds = 10;
/// Time left for the self-test when the programs of a node take all of theirs.
constexpr int selfTestSeconds = 10;
constexpr qsizetype triedAddresses = 2; ///< Addresses of each node that the ranks of other nodes try.

/// The addresses that the rank table has for the devices of a node, by physical id.
static QMap<int, QString> tableIpsOf(const RankTable &table, const PlannedNode &planned)
{
    QMap<int, QString> addresses;
    if (const Server *server = table.findServer(planned.node)) {
        for (const Device &device : server->devices) {
            if (device.deviceId != Device::host)
                addresses.insert(device.deviceId.value, device.deviceIp);
        }
    }
    return addresses;
}

void PreflightReport::add(const PreflightCheck &check)
{
    checks.insert(std::ranges::upper_bound(checks, check.part, {}, &PreflightCheck::part), check);
}

int PreflightReport::countOf(Status status) const
{
    return static_cast<int>(std::ranges::count(checks, status, &PreflightCheck::status));
}

QString PreflightReport::summary() const
{
    const int failed = countOf(Status::Fail);
    const int warnings = countOf(Status::Warn);
    const int skipped = countOf(Status::Skipped);
    const int all = static_cast<int>(checks.size());
    QStringList parts;
    parts << (failed > 0 ? tr("%1 of %2 checks failed").arg(failed).arg(all)
                         : tr("None of %1 checks failed").arg(all));
    if (warnings > 0)
        parts << tr("%n warnings", "%n warning", warnings);
    if (skipped > 0)
        parts << tr("%1 skipped").arg(skipped);
    return tr("%1 (%2 s).").arg(parts.join(listComma())).arg(seconds, 0, 'f', 1);
}

void visitFields(Fields &fields, PreflightReport &report)
{
    bool isPassed = report.isPassed();
    std::vector<int> ranks(static_cast<std::size_t>(report.selfTest.ranks.size()));
    std::iota(ranks.begin(), ranks.end(), 0);
    fields("passed", isPassed);
    fields("seconds", report.seconds);
    fields("checks", report.checks);
    fields.each("ranks", ranks, [&](int at) {
        int rank = report.selfTestRanks.value(at, at);
        QString node = report.selfTestNodes.value(at);
        QString stage = selfTestStageWord(report.selfTest.ranks.at(at).stage);
        QString text = report.selfTest.ranks.at(at).text;
        fields("rank", rank);
        fields("node", node);
        fields("stage", stage);
        fields("text", text);
    });
    fields("pairs", report.selfTest.pairs);
    fields("collectives", report.selfTest.collectives);
}

/// One node of the launch: the connection to its agent, and how far its checks are.
struct Preflight::Node {
    PlannedNode planned;
    LaunchPlan share;
    std::unique_ptr<AgentLink> link;
    ClockComparison clock;
    NodeCheckEnd end;
    bool isChecked = false;
    bool hasEnded = false;
    bool wasReady = false;
};

Preflight::Preflight(LaunchSpec spec, LaunchPlan plan, HostFacts facts, PreflightOptions options,
                     QObject *parent)
    : QObject(parent)
    , m_spec(std::move(spec))
    , m_plan(std::move(plan))
    , m_facts(std::move(facts))
    , m_options(std::move(options))
{
}

Preflight::~Preflight() = default;

void Preflight::start()
{
    m_sinceStart.start();
    connect(&m_limit, &QTimer::timeout, this,
            [this] { giveUp(tr("Not finished within %1 s.").arg(m_options.limitSeconds), Status::Fail); });
    connect(&m_arrival, &QTimer::timeout, this, [this] {
        m_selfTest->giveUp(m_selfTest->missing(),
                           tr("it has not arrived within %1 s").arg(m_arrival.interval() / 1000));
    });
    m_limit.start(m_options.limitSeconds * 1000);
    checkPlan();
    reachNodes();
}

/// In the background, since it reads the rank table's file.
void Preflight::checkPlan()
{
    inBackground(
        this, [spec = m_spec, plan = m_plan, facts = m_facts] { return planChecks(spec, plan, facts); },
        [this](const std::vector<PreflightCheck> &checks) {
            if (m_planIsChecked) // It took too long and was reported as such.
                return;
            for (const PreflightCheck &check : checks)
                report(check);
            m_planIsChecked = true;
            finishIfDone();
        });
}

void Preflight::reachNodes()
{
    if (m_plan.allocation) {
        report({Part::Host, u"nodes"_s, QString(), Status::Skipped,
                tr("The launch requests its nodes from Slurm when it starts. They are not known yet."),
                tr("Run the preflight inside an allocation (salloc), or name the nodes.")});
        skipSelfTest(tr("The nodes are not known yet."));
        return;
    }
    Q_EMIT progressed(m_plan.nodes.empty() ? tr("Checking this node …")
                                           : tr("Checking %n nodes …", "Checking one node …",
                                                static_cast<int>(m_plan.nodes.size())));
    if (m_plan.transport.isEmpty())
        add({m_plan.thisNode, {}});
    for (const PlannedNode &planned : m_plan.nodes)
        add(planned);
    // Only now, since the first answer looks at all nodes.
    for (const auto &node : m_nodes)
        node->link->start();
}

void Preflight::add(const PlannedNode &planned)
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
        node.link->order(orders::Describe());
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

void Preflight::takeDescription(Node &node, const NodeDescription &description)
{
    if (node.clock.take(description)) {
        node.clock.ask();
        node.link->order(orders::Describe());
        return;
    }
    const QString own = QCoreApplication::applicationVersion();
    const bool isOther = description.version != own;
    report({Part::Host, u"agent"_s, nameOf(node), isOther ? Status::Warn : Status::Pass,
            isOther ? tr("Rankdeck is %1 there and %2 here.").arg(description.version, own)
                    : tr("Rankdeck %1 answers on %2 (%3) in %4 ms.")
                          .arg(description.version, description.hostName, description.architecture,
                               QString::number(node.clock.roundTripMs(), 'f', 1)),
            isOther ? tr("Install the same version everywhere.") : QString()});
    node.link->order(orders::CheckNode{
        .plan = node.share,
        .environment = environmentForNodes(m_facts.environment, transportFrom(m_plan.transport)),
        .imports = m_options.imports,
        .language = installedLanguage(),
        .tableIps = tableIpsOf(m_plan.rankTable, node.planned),
        .seconds = std::max(1, m_options.limitSeconds - selfTestSeconds)});
}

void Preflight::takeAnswer(Node &node, const NodeAnswer &answer)
{
    if (answer.check) {
        PreflightCheck check = *answer.check;
        const QString name = nameOf(node);
        if (!name.isEmpty())
            check.subject = check.subject.isEmpty() ? name : tr("%1, %2").arg(name, check.subject);
        report(check);
        return;
    }
    node.end = *answer.end;
    node.isChecked = true;
    goOn();
}

void Preflight::takeEnd(Node &node, const QString &how)
{
    node.hasEnded = true;
    if (!m_isEnding && !node.isChecked) {
        const Error problem =
            node.wasReady
                ? Error{tr("its agent has ended: %1").arg(how), {}, {}}
                : node.link->transport().problem().value_or(problemOfReaching(how, node.planned.node));
        PreflightCheck check = checkOf(Part::Host, u"agent"_s, Status::Fail, problem);
        check.subject = node.planned.node;
        report(check);
    }
    if (m_selfTest && !m_isEnding) {
        QList<int> lost = m_selfTest->open();
        lost.removeIf([&](int rank) { return m_report.selfTestNodes.at(rank) != node.planned.node; });
        m_selfTest->giveUp(lost, tr("the agent on %1 has ended: %2").arg(node.planned.node, how));
        for (const int rank : lost)
            m_selfTest->take({rank, {}, true, {}});
    }
    goOn();
}

/// Starts the self-test once all nodes have sent their checks or are lost.
void Preflight::goOn()
{
    const bool allAreDone =
        std::ranges::all_of(m_nodes, [](const auto &node) { return node->isChecked || node->hasEnded; });
    if (allAreDone && !m_selfTest && !m_selfTestIsDone && !m_isEnding) {
        compareNodes();
        startSelfTest();
    }
    finishIfDone();
}

void Preflight::compareNodes()
{
    std::vector<ComparedNode> nodes;
    for (const auto &node : m_nodes) {
        if (node->isChecked)
            nodes.push_back({node->planned.node, node->clock.offsetMs(), node->end.tls});
    }
    for (const PreflightCheck &check : rankdeck::compareNodes(nodes))
        report(check);
}

QString Preflight::nameOf(const Node &node) const
{
    return m_nodes.size() > 1 ? node.planned.node : QString();
}

void Preflight::startSelfTest()
{
    QStringList lost;
    for (const auto &node : m_nodes) {
        if (!node->isChecked)
            lost << node->planned.node;
    }
    if (!lost.isEmpty()) {
        skipSelfTest(tr("The ranks were not tested, because nodes cannot be reached: %1.")
                         .arg(lost.join(nameComma())));
        return;
    }
    const TestedRanks tested = testedRanks(m_plan);
    m_report.selfTestRanks = tested.ranks;
    m_report.selfTestNodes = tested.nodes;
    for (const PreflightCheck &check : tested.checks)
        report(check);
    m_report.selfTest = SelfTestResults(static_cast<int>(m_report.selfTestRanks.size()));
    if (m_report.selfTestRanks.isEmpty()) {
        skipSelfTest(tr("The plan starts no rank."));
        return;
    }
    Q_EMIT progressed(tr("Testing %n ranks with each other …", "Testing one rank …",
                         static_cast<int>(m_report.selfTestRanks.size())));
    m_selfTest = std::make_unique<SelfTestHead>(m_report.selfTestRanks, m_report.selfTestNodes);
    connect(m_selfTest.get(), &SelfTestHead::happened, this, [this](const SelfTestEvent &event) {
        m_report.selfTest.take(event);
        if (m_arrival.isActive() && m_selfTest->missing().isEmpty())
            m_arrival.stop();
        Q_EMIT selfTestHappened(event);
    });
    connect(m_selfTest.get(), &SelfTestHead::over, this, &Preflight::endSelfTest, Qt::QueuedConnection);
    connect(m_selfTest.get(), &SelfTestHead::tell, this, &Preflight::sendToRank);
    for (const auto &node : m_nodes)
        orderSelfTest(*node);
    m_arrival.start(std::min(arrivalSeconds, m_options.limitSeconds) * 1000);
}

void Preflight::sendToRank(int rank, const QByteArray &line)
{
    const orders::TellRank order{rank, line};
    for (const auto &node : m_nodes) {
        if (node->planned.node == m_report.selfTestNodes.at(rank) && !node->hasEnded)
            node->link->order(order);
    }
}

/// Starts the ranks of the self-test that are on this node.
void Preflight::orderSelfTest(const Node &node)
{
    orders::StartSelfTest order;
    order.worldSize = static_cast<int>(m_report.selfTestRanks.size());
    order.arguments = {u"--store"_s, u"stdio"_s, u"--pace"_s, QString::number(m_options.paceMs)};
    const QStringList addresses =
        m_nodes.size() > 1 ? node.end.addresses.mid(0, triedAddresses) : QStringList{u"127.0.0.1"_s};
    for (const QString &address : addresses)
        order.arguments << u"--address"_s << address;
    for (int rank = 0; rank < order.worldSize; ++rank) {
        if (m_report.selfTestNodes.at(rank) == node.planned.node)
            order.ranks << rank;
    }
    if (!order.ranks.isEmpty())
        node.link->order(order);
}

void Preflight::skipSelfTest(const QString &why)
{
    report({Part::Pairs, u"pairs"_s, {}, Status::Skipped, why, {}});
    report({Part::Collectives, u"collectives"_s, {}, Status::Skipped, why, {}});
    m_selfTestIsDone = true;
    endAgents();
}

void Preflight::endSelfTest()
{
    if (m_selfTestIsDone)
        return;
    m_selfTestIsDone = true;
    m_arrival.stop();
    for (const PreflightCheck &check : m_selfTest->checks())
        report(check);
    endAgents();
}

void Preflight::endAgents()
{
    m_isEnding = true;
    for (const auto &node : m_nodes) {
        if (node->hasEnded)
            continue;
        if (node->wasReady)
            node->link->order(orders::Kill()); // It has started nothing of a launch.
        else
            node->link->abort();
    }
    finishIfDone();
}

void Preflight::giveUp(const QString &why, Status status)
{
    if (m_isFinished || (m_isEnding && status == Status::Skipped))
        return;
    if (m_isEnding) { // An agent has not ended in time.
        for (const auto &node : m_nodes) {
            if (!node->hasEnded)
                node->link->abort();
        }
        return;
    }
    if (!m_planIsChecked)
        report({Part::Plan, u"plan"_s, {}, status, why, {}});
    m_planIsChecked = true;
    for (const auto &node : m_nodes) {
        if (!node->isChecked && !node->hasEnded)
            report({Part::Host, u"agent"_s, node->planned.node, status, why, {}});
    }
    if (m_selfTest) {
        m_selfTest->giveUp(m_selfTest->open(), why);
        endSelfTest();
    } else {
        skipSelfTest(why);
    }
    // Agents that have not ended by then are aborted.
    m_limit.start(2000);
}

void Preflight::report(const PreflightCheck &check)
{
    m_report.add(check);
    Q_EMIT checked(check);
}

void Preflight::finishIfDone()
{
    const bool haveEnded = std::ranges::all_of(m_nodes, [](const auto &node) { return node->hasEnded; });
    if (!m_planIsChecked || !m_selfTestIsDone || !haveEnded || m_isFinished)
        return;
    m_isFinished = true;
    m_limit.stop();
    m_report.seconds = static_cast<double>(m_sinceStart.elapsed()) / 1000;
    Q_EMIT finished();
}

} // namespace rankdeck

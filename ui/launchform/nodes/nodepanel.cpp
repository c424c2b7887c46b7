#include "launchform/nodes/nodepanel.h"

#include "background/inbackground.h"
#include "base/program.h"
#include "base/widespaces.h"
#include "widgets/labels.h"

#include <QLocale>
#include <QSysInfo>

namespace rankdeck
{

namespace
{

struct FoundNodes {
    TransportKind kind = TransportKind::Local;
    QStringList names;
};

/// Finds the nodes of a launch. For Slurm it runs scontrol, and blocks as long.
Result<FoundNodes> findNodes(const NodeOptions &options)
{
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto kind = chooseTransport(options, environment);
    if (!kind)
        return kind.error();
    if (const auto error = problemWithoutAllocation(*kind, environment))
        return *error;
    const auto names = namedNodes(*kind, options, environment);
    if (!names)
        return names.error();
    return FoundNodes{*kind, names->isEmpty() && *kind == TransportKind::Local
                                 ? QStringList{QSysInfo::machineHostName()}
                                 : *names};
}

} // namespace

NodeTests::NodeTests(QObject *parent)
    : QObject(parent)
{
    setOptions({});
}

void NodeTests::setOptions(const NodeOptions &options)
{
    if (options == m_options && m_generation > 0)
        return;
    NodeOptions sameList = options;
    sameList.list = m_options.list;
    const bool isOtherWay = sameList != m_options;
    m_options = options;
    ++m_generation;
    if (isOtherWay) {
        m_running.clear();
        setNames({});
    }
    Q_EMIT failed({});
    // The field shows errors itself; results are kept while a name is being typed.
    const auto onFound = [this, generation = m_generation](const Result<FoundNodes> &found) {
        if (generation == m_generation && found)
            setNames(found->names);
    };
    if (areGivenAtLaunch())
        setNames({});
    else if (areSlurms())
        inBackground(
            this, [options] { return findNodes(options); }, onFound);
    else
        onFound(findNodes(options));
}

bool NodeTests::areGivenAtLaunch() const
{
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto kind = chooseTransport(m_options, environment);
    return kind && problemWithoutAllocation(*kind, environment);
}

bool NodeTests::areSlurms() const
{
    const auto kind = chooseTransport(m_options, QProcessEnvironment::systemEnvironment());
    return kind && *kind == TransportKind::Slurm;
}

void NodeTests::setNames(const QStringList &names)
{
    const QList<TestedNode> before = std::exchange(m_nodes, {});
    for (const QString &name : names) {
        const auto known = std::ranges::find(before, name, &TestedNode::name);
        m_nodes.append(known == before.end() ? TestedNode{name, TestedNode::State::Untested, {}} : *known);
    }
    Q_EMIT nodesChanged();
}

void NodeTests::testAll()
{
    Q_EMIT failed({});
    inBackground(
        this, [options = m_options] { return findNodes(options); },
        [this, generation = m_generation](const Result<FoundNodes> &found) {
            if (generation != m_generation)
                return;
            if (!found) {
                Q_EMIT failed(found.error().sentence());
                return;
            }
            setNames(found->names);
            for (int index = 0; index < int(m_nodes.size()); ++index)
                start(index, found->kind);
        });
}

void NodeTests::test(int index)
{
    const auto kind = chooseTransport(m_options, QProcessEnvironment::systemEnvironment());
    if (kind)
        start(index, *kind);
    else
        Q_EMIT failed(kind.error().sentence());
}

void NodeTests::start(int index, TransportKind kind)
{
    TestedNode &node = m_nodes[index];
    if (node.state == TestedNode::State::Testing)
        return;
    const auto program = rankdeckctlPath();
    if (!program) {
        Q_EMIT failed(program.error().sentence());
        return;
    }
    node.state = TestedNode::State::Testing;
    Q_EMIT nodeChanged(index);
    m_running.push_back(std::make_unique<NodeTest>(
        makeTransport(kind, node.name, m_options, *program, CopyPolicy::OnlySay), node.name));
    NodeTest *test = m_running.back().get();
    connect(test, &NodeTest::finished, this, [this, test](const NodeTestResult &result) {
        const auto own = std::ranges::find(m_running, test, &decltype(m_running)::value_type::get);
        own->release()->deleteLater(); // Later: it is emitting this signal.
        m_running.erase(own);
        take(result);
    });
    QMetaObject::invokeMethod(test, &NodeTest::start, Qt::QueuedConnection);
}

void NodeTests::take(const NodeTestResult &result)
{
    const int index = indexOf(result.node);
    if (index < 0)
        return;
    m_nodes[index].state = TestedNode::State::Tested;
    m_nodes[index].result = result;
    Q_EMIT nodeChanged(index);
}

void NodeTests::fetchKey(int index)
{
    Q_EMIT failed({});
    const QString name = m_nodes.at(index).name;
    inBackground(
        this, [name, options = m_options] { return fetchHostKey(name, options); },
        [this, name, generation = m_generation](const Result<HostKey> &key) {
            if (generation != m_generation)
                return;
            if (key)
                Q_EMIT keyShown(name, *key);
            else
                Q_EMIT failed(key.error().sentence());
        });
}

void NodeTests::trust(const QString &node, const HostKey &key)
{
    inBackground(
        this, [key] { return trustHostKey(key); },
        [this, node](const std::optional<Error> &error) {
            if (error)
                Q_EMIT failed(error->sentence());
            else if (const int index = indexOf(node); index >= 0)
                test(index);
        });
}

int NodeTests::indexOf(const QString &name) const
{
    const auto found = std::ranges::find(m_nodes, name, &TestedNode::name);
    return found == m_nodes.end() ? -1 : int(found - m_nodes.begin());
}

/// Returns the facts about a usable node: "Rankdeck 0.1 on x86_64, 8 NPUs, clock +0.3 ms, 12 GiB free in
/// /home/me".
static QString nodeFacts(const NodeTestResult &result)
{
    if (!result.description)
        return NodeRow::tr("Usable: %1").arg(wantedCopyText(result));
    const NodeDescription &node = *result.description;
    const QString offset = u"%1%2"_s.arg(result.clockOffsetMs < 0 ? QString() : u"+"_s,
                                         QString::number(result.clockOffsetMs, 'f', 1));
    return NodeRow::tr("Usable: Rankdeck %1 (%7) on %2, %n NPUs, clock %3 ms (within %4 ms), %5 free in %6.",
                       "Usable: Rankdeck %1 (%7) on %2, %n NPU, clock %3 ms (within %4 ms), %5 free in %6.",
                       node.npuCount)
        .arg(node.version, node.architecture, offset, QString::number(result.roundTripMs / 2, 'f', 1),
             QLocale().formattedDataSize(node.freeBytes), node.directory, node.program);
}

NodeRow::NodeRow()
    : m_name(lineLabel("nodeName"))
    , m_found(new NoteLabel(u"nodeResult"_s))
    , m_button(plainButton({}, "testNodeButton"))
{
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_isKeyUnknown)
            Q_EMIT keyRequested();
        else
            Q_EMIT testRequested();
    });
    auto *words = new QVBoxLayout;
    words->setSpacing(0);
    addParts(words, {m_name, m_found});
    addParts(withoutMargins(new QHBoxLayout(this)), {{words, 1}, {m_button, 0, Qt::AlignTop}});
}

void NodeRow::setNode(const TestedNode &node)
{
    const bool isTested = node.state == TestedNode::State::Tested;
    m_isKeyUnknown = isTested && node.result.isKeyUnknown;
    m_name->setText(node.name);
    m_button->setText(m_isKeyUnknown ? tr("Host key…") : tr("Test"));
    m_button->setAccessibleName(m_isKeyUnknown ? tr("Show the host key of %1").arg(node.name)
                                               : tr("Test %1").arg(node.name));
    m_button->setEnabled(node.state != TestedNode::State::Testing);
    QStringList found;
    if (isTested && node.result.isUsable())
        found << nodeFacts(node.result);
    if (isTested && m_isKeyUnknown)
        found << tr("Unknown host key. Review it before you trust it.");
    else if (isTested && !node.result.problem.isEmpty())
        found << node.result.problem;
    const bool isProblem = isTested && (!node.result.isUsable() || !node.result.problem.isEmpty());
    m_found->setProblem(isProblem ? joinedBySpaces(found) : QString());
    if (node.state == TestedNode::State::Testing)
        m_found->setHelp(tr("Testing…"));
    else
        m_found->setHelp(isTested ? joinedBySpaces(found) : tr("Not tested."));
}

NodePanel::NodePanel()
    : m_tests(new NodeTests(this))
    , m_testAll(plainButton(tr("&Test all nodes"), "testAllNodesButton"))
    , m_note(new NoteLabel(u"nodesNote"_s))
    , m_layout(withoutMargins(new QVBoxLayout(this)))
{
    setManualPage(this, "nodes.md");
    setObjectName(u"nodePanel"_s);
    addParts(m_layout, {{m_testAll, 0, Qt::AlignLeft}, m_note});
    connect(m_testAll, &QPushButton::clicked, m_tests, &NodeTests::testAll);
    connect(m_tests, &NodeTests::nodesChanged, this, &NodePanel::showNodes);
    connect(m_tests, &NodeTests::nodeChanged, this, &NodePanel::showNode);
    connect(m_tests, &NodeTests::keyShown, this, &NodePanel::askAboutKey);
    connect(m_tests, &NodeTests::failed, m_note, &NoteLabel::setProblem);
    showNodes();
}

QList<QWidget *> NodePanel::focusOrder() const
{
    QList<QWidget *> order{m_testAll};
    for (const NodeRow *row : m_rows)
        order += row->button();
    return order;
}

void NodePanel::showNodes()
{
    const int count = int(m_tests->nodes().size());
    while (m_rows.size() > count)
        delete m_rows.takeLast();
    while (m_rows.size() < count) {
        auto *row = new NodeRow;
        const int index = int(m_rows.size());
        connect(row, &NodeRow::testRequested, m_tests, [this, index] { m_tests->test(index); });
        connect(row, &NodeRow::keyRequested, m_tests, [this, index] { m_tests->fetchKey(index); });
        m_layout->addWidget(row);
        setTabOrder(m_rows.isEmpty() ? m_testAll : m_rows.constLast()->button(), row->button());
        m_rows += row;
    }
    for (int index = 0; index < count; ++index)
        showNode(index);
    m_testAll->setEnabled(!m_tests->areGivenAtLaunch());
    if (m_tests->areGivenAtLaunch())
        m_note->setHelp(tr("The launch requests its nodes from Slurm. To test them, start Rankdeck inside an "
                           "allocation (salloc)."));
    else
        m_note->setHelp(count > 0 ? tr("Connects to the node as the launch would, and reads its version, "
                                       "clock, NPUs and disk space.")
                        : m_tests->areSlurms() ? tr("Rankdeck asks Slurm for the names of the nodes.")
                                               : tr("No node is named."));
}

void NodePanel::askAboutKey(const QString &node, const HostKey &key)
{
    auto *question = new QMessageBox(this);
    setUpBox(question, "keyQuestion", QMessageBox::Question, tr("Trust this key?"),
             tr("The host key of %1 is\n%2\n\nTrust this key? Compare it with the key that the node's "
                "administrator gives you. Only Rankdeck uses it; it is stored in %3.")
                 .arg(node, key.fingerprint, knownHostsPath()));
    QPushButton *yes = named(question->addButton(tr("&Trust it"), QMessageBox::AcceptRole), "trustKeyButton");
    question->setDefaultButton(question->addButton(QMessageBox::Cancel));
    connect(yes, &QPushButton::clicked, m_tests, [this, node, key] { m_tests->trust(node, key); });
    question->open();
}

} // namespace rankdeck

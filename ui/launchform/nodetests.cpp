#include "launchform/nodetests.h"

#include "agent/transport/transports.h"
#include "background/inbackground.h"
#include "launch/nodelist.h"
#include "rankdeckctlpath.h"

#include <QProcessEnvironment>
#include <QSysInfo>

#include <algorithm>

namespace rankdeck
{

namespace
{

struct FoundNodes {
    TransportKind kind = TransportKind::Local;
    QStringList names;
};

/// With Slurm as slow as scontrol.
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

NodeTests::~NodeTests() = default;

void NodeTests::setOptions(const NodeOptions &options)
{
    if (options == m_options && m_generation > 0)
        return;
    NodeOptions sameList = options;
    sameList.list = m_options.list;
    const bool isOtherWay = sameList != m_options;
    m_options = options;
    ++m_generation;
    if (isOtherWay)
        forget();
    Q_EMIT failed({});
    // What is wrong with them stands at their field; while a name is typed nothing is forgotten.
    const auto takeNames = [this, generation = m_generation](const Result<FoundNodes> &found) {
        if (generation == m_generation && found)
            setNames(found->names);
    };
    const auto kind = chooseTransport(options, QProcessEnvironment::systemEnvironment());
    if (areGivenAtLaunch())
        setNames({});
    else if (kind && *kind == TransportKind::Slurm)
        inBackground(
            this, [options] { return findNodes(options); }, takeNames);
    else
        takeNames(findNodes(options));
}

bool NodeTests::areGivenAtLaunch() const
{
    const QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    const auto kind = chooseTransport(m_options, environment);
    return kind && problemWithoutAllocation(*kind, environment);
}

void NodeTests::setNames(const QStringList &names)
{
    const QList<TestedNode> before = std::exchange(m_nodes, {});
    for (const QString &name : names) {
        const auto known = std::find_if(before.begin(), before.end(),
                                        [&](const TestedNode &node) { return node.name == name; });
        m_nodes.append(known == before.end() ? TestedNode{name, TestedNode::State::Untested, {}} : *known);
    }
    Q_EMIT nodesChanged();
}

void NodeTests::forget()
{
    m_running.clear();
    m_nodes.clear();
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
        const auto own = std::find_if(m_running.begin(), m_running.end(),
                                      [test](const auto &running) { return running.get() == test; });
        own->release()->deleteLater(); // It is the one that speaks.
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
    for (int index = 0; index < int(m_nodes.size()); ++index) {
        if (m_nodes[index].name == name)
            return index;
    }
    return -1;
}

} // namespace rankdeck

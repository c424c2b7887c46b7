#pragma once

#include "agent/nodetest.h"
#include "agent/transport/hostkey.h"
#include "launch/nodeoptions.h"

#include <QList>
#include <QObject>

#include <memory>
#include <vector>

namespace rankdeck
{

/// A node of a launch and what is known of it.
struct TestedNode {
    enum class State { Untested, Testing, Tested };

    QString name;
    State state = State::Untested;
    NodeTestResult result; ///< When tested.
};

/// Tries the nodes of a launch while they are being chosen. Nothing here waits: lists of nodes, keys and the
/// nodes themselves are asked for in the background.
class NodeTests : public QObject
{
    Q_OBJECT

public:
    explicit NodeTests(QObject *parent = nullptr);
    ~NodeTests() override;

    /// Which nodes, and the way to them. What is known of a node holds only for the same way. With Slurm the
    /// nodes come later, when its own programs have spelled them out.
    void setOptions(const NodeOptions &options);
    const QList<TestedNode> &nodes() const { return m_nodes; }
    /// Slurm is to be asked for nodes by the launch itself: there are none to be tried before.
    bool areGivenAtLaunch() const;

    void testAll();
    /// @param index in nodes().
    void test(int index);
    /// Ask the node for its host key; answered by keyShown() or failed().
    void fetchKey(int index);
    /// The user trusts it: keep it, and test the node again.
    void trust(const QString &node, const HostKey &key);

Q_SIGNALS:
    /// There are other nodes.
    void nodesChanged();
    void nodeChanged(int index);
    void keyShown(const QString &node, const rankdeck::HostKey &key);
    /// Something that is no single node's: a sentence; empty when it no longer holds.
    void failed(const QString &sentence);

private:
    void setNames(const QStringList &names);
    void start(int index, TransportKind kind);
    void take(const NodeTestResult &result);
    int indexOf(const QString &name) const;
    void forget();

    NodeOptions m_options;
    QList<TestedNode> m_nodes;
    std::vector<std::unique_ptr<NodeTest>> m_running;
    int m_generation = 0; ///< Answers to questions of an earlier one are not wanted any more.
};

} // namespace rankdeck

#pragma once

#include "agent/head/nodequestions.h"
#include "widgets/widgetparts.h"

namespace rankdeck
{

class NoteLabel;

/// A node of a launch, and the result of its test.
struct TestedNode {
    enum class State { Untested, Testing, Tested };

    QString name;
    State state = State::Untested;
    NodeTestResult result; ///< Result of a tested node.
};

/// Tests the nodes of a launch while they are being chosen. Never blocks: lists of nodes, keys and the nodes
/// themselves are queried in the background.
class NodeTests : public QObject
{
    Q_OBJECT

public:
    explicit NodeTests(QObject *parent = nullptr);

    /// Sets which nodes to use and how to reach them; another way to reach them discards all results. Slurm's
    /// nodes come later, when its programs have listed them.
    void setOptions(const NodeOptions &options);
    const QList<TestedNode> &nodes() const { return m_nodes; }
    /// Returns true if the launch itself gets its nodes from Slurm, so that none can be tested before.
    bool areGivenAtLaunch() const;
    /// Returns true if Slurm tells which nodes these are.
    bool areSlurms() const;

    void testAll();
    /// @param index in nodes().
    void test(int index);
    /// Queries the host key of a node; keyShown() or failed() follows.
    void fetchKey(int index);
    /// Keeps a key that the user trusts, and tests the node again.
    void trust(const QString &node, const HostKey &key);

Q_SIGNALS:
    void nodesChanged();
    void nodeChanged(int index);
    void keyShown(const QString &node, const rankdeck::HostKey &key);
    /// Reports a problem that is not one node's, as a sentence; empty: it is over.
    void failed(const QString &sentence);

private:
    void setNames(const QStringList &names);
    void start(int index, TransportKind kind);
    void take(const NodeTestResult &result);
    int indexOf(const QString &name) const;

    NodeOptions m_options;
    QList<TestedNode> m_nodes;
    std::vector<std::unique_ptr<NodeTest>> m_running;
    int m_generation = 0; ///< Answers for an earlier one are dropped.
};

/// A node of the launch: its name, the result of its test, and a button that tests it or shows its unknown
/// host key.
class NodeRow : public QWidget
{
    Q_OBJECT

public:
    NodeRow();

    void setNode(const TestedNode &node);
    QWidget *button() const { return m_button; }

Q_SIGNALS:
    void testRequested();
    void keyRequested();

private:
    QLabel *m_name;
    NoteLabel *m_found;
    QPushButton *m_button;
    bool m_isKeyUnknown = false;
};

/// The nodes of the launch that is being edited; each can be tested, or all together.
class NodePanel : public QWidget
{
    Q_OBJECT

public:
    NodePanel();

    void setOptions(const NodeOptions &options) { m_tests->setOptions(options); }
    /// In the order of the Tab key.
    QList<QWidget *> focusOrder() const;

private:
    void showNodes();
    void showNode(int index) { m_rows.at(index)->setNode(m_tests->nodes().at(index)); }
    void askAboutKey(const QString &node, const HostKey &key);

    NodeTests *m_tests;
    QPushButton *m_testAll;
    NoteLabel *m_note;
    QVBoxLayout *m_layout;
    QList<NodeRow *> m_rows;
};

} // namespace rankdeck

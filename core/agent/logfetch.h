#pragma once

#include "agent/agentlink.h"
#include "agent/nodelogs.h"
#include "run/runrecord.h"
#include "run/runstate.h"

#include <QList>
#include <QObject>

#include <memory>
#include <vector>

namespace rankdeck
{

/// Copies what is missing here of logs that are on other nodes: those of a run without mirrors, or of nodes
/// that were lost. Reaches each node once more, as the launch did, and starts nothing there. Lives in any
/// thread with an event loop; destroyed before it has finished it gives up.
class LogFetch : public QObject
{
    Q_OBJECT

public:
    /// Only the newest attempt's logs can be fetched.
    /// @param processes by index in the plan.
    LogFetch(RunState state, const QList<int> &processes, QObject *parent = nullptr);

    /// Reads the run's record, and does nothing where nothing can be missing here.
    void start();

Q_SIGNALS:
    /// Bytes that are still to come, of the nodes that have answered.
    void progressed(qint64 bytesLeft);
    /// A node's logs cannot be had, or not wholly; a sentence.
    void failed(const QString &sentence);
    /// After all nodes; also when some have failed.
    void finished();

private:
    struct Node {
        std::unique_ptr<AgentLink> link;
        std::unique_ptr<NodeLogs> logs;
        QString name;
        QStringList files;  ///< There …
        QStringList copies; ///< … and here.
        qint64 bytesLeft = 0;
        bool isDone = false;
    };

    void addNodes(const RunRecord &record);
    void add(const PlannedNode &planned, const RunRecord &record, const std::vector<ProcessPlan> &processes);
    void greet(Node &node);
    void conclude(Node &node);

    RunState m_state;
    QList<int> m_processes;
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::size_t m_ended = 0;
};

} // namespace rankdeck

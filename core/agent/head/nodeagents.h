#pragma once

#include "agent/head/nodeagent.h"
#include "agent/transport/allocation.h"

namespace rankdeck
{

/// The agents of one attempt of a run, one a node: what all are told, and what each tells. Where the launch
/// is for named nodes, none is told to start before the LaunchPreparation is done.
class NodeAgents : public QObject
{
    Q_OBJECT

public:
    /// @param record must live as long as this object does.
    /// @param unplaced what unplacedPlan() was for the attempt before; nothing for the first.
    NodeAgents(const RunRecord &record, QString runDirectory, std::optional<LaunchPlan> unplaced);

    /// Reaches every node. `attempt` counts from 0.
    void start(int attempt);
    /// Sends an order to every agent; agents that connect later receive it on connecting and start nothing.
    void orderAll(const AgentOrder &end);
    void endProcesses(const QList<int> &processes, bool kill);
    /// Starts these processes again; see orders::StartProcesses.
    void startProcesses(const QList<int> &processes);
    /// Asks for the stacks of these processes; see orders::DumpStacks. Agents answer with StacksDumped.
    /// @param isUrgent see orders::DumpStacks.
    void dumpStacks(const QList<int> &processes, int dumpSignal, bool isUrgent);
    /// Asks the flight recorders of all ranks for dumps; their agents answer with RecordersDumped within so
    /// many seconds. Dumps of nodes that do not share the run directory are copied to `folder`. Returns the
    /// nodes that are asked.
    QStringList dumpRecorders(const QString &folder, std::chrono::seconds limit);
    /// Sends the order to each agent that has some of its processes, with its own ones.
    template <typename Order>
    void order(Order order) const
    {
        const QList<int> processes = order.processes;
        for (const NodeAgent *node : m_open) {
            order.processes = node->ownOf(processes);
            if (!order.processes.isEmpty())
                node->link->order(order);
        }
    }
    /// Starts a tool on the node of `process`, which it looks at; `index` is the tool's own.
    void attachTool(int index, int process, const ProcessPlan &tool);
    /// Tells the agents that a rank that one of them has found, with this pid, has this index in the plan.
    void nameRank(int index, const ProcessPlan &found, qint64 pid);
    /// Types into terminals of processes that run.
    void type(const TerminalInput &input);
    /// The logs of these processes are on screen; see RunClient::show().
    void showLogs(const QList<int> &processes);
    /// Samples all nodes at this interval; 0: not at all. Agents answer with samples.
    void sample(const SampleWish &wish, std::chrono::milliseconds interval);
    /// Continues agents that somebody has stopped (SIGSTOP), and returns their nodes.
    QStringList continueStopped();
    /// Returns true if an agent has not ended.
    bool hasOpen() const { return !m_open.empty(); }
    /// The plan before node paths are filled in (multi-node launches only).
    const std::optional<LaunchPlan> &unplacedPlan() const { return m_preparation.unplacedPlan(); }

Q_SIGNALS:
    void agentStarted(const QString &node, const rankdeck::events::AgentStarted &agent);
    /// The plan as the nodes have prepared it, before the start (multi-node launches only).
    void planned(const rankdeck::LaunchPlan &plan);
    /// `node` cannot start its share; none is started.
    void notPrepared(const QString &node, const rankdeck::Error &problem);
    void happened(const rankdeck::RunEvent &event);
    /// A sample of a node, with indices of the plan.
    void sampled(const rankdeck::NodeSample &sample);
    /// A sentence for the journal.
    void noted(const rankdeck::Sentence &text);
    /// The stream to a node has broken and is tried again; it is back.
    void linkLost(const QString &node, const rankdeck::Sentence &how, const QDateTime &since);
    void linkBack(const QString &node);
    /// An agent has ended before it was done.
    void lost(const QString &node, const rankdeck::Sentence &how, const QDateTime &since);
    /// An agent has ended, either way.
    void ended();

private:
    struct EndRequest {
        QList<int> processes;
        bool kill;
    };

    void add(const PlannedNode &planned);
    void greet(NodeAgent &node);
    void take(NodeAgent &node, RunEvent event);
    void startAll(const LaunchPlan &plan);
    void orderWhatWaits(const NodeAgent &node) const;
    void makeWayBack(NodeAgent &node, TransportKind kind);
    void askSlurmAboutSilence(NodeAgent &node);
    void takeSlurmState(const QString &job, const QString &state);
    void resume(NodeAgent &node);
    void endOf(NodeAgent &node, const Sentence &how, const QDateTime &since);
    void giveUp(const QString &node, const Error &problem);
    void followLogs(NodeAgent &node);
    bool isForNamedNodes() const { return !m_record.plan.transport.isEmpty(); }

    const RunRecord &m_record;
    LaunchPreparation::Agents m_nodes;
    LaunchPreparation m_preparation;
    QString m_directory;
    int m_attempt = 0;
    std::vector<NodeAgent *> m_open;
    std::optional<AgentOrder> m_end;
    SlurmJobQuestion m_slurm;
    bool m_isSuspended = false; ///< By Slurm.
    QList<int> m_shown;
    QString m_dumpFolder; ///< For dumps of recorders; empty: none are wanted.
    SampleWish m_wish;
    std::chrono::milliseconds m_sampleInterval{0}; ///< 0: no samples are wanted.
    std::vector<EndRequest> m_endRequests;
    QList<int> m_unwanted; ///< Processes that are to be killed as soon as they are started.
    bool m_started = false;
    bool m_gaveUp = false;
};

} // namespace rankdeck

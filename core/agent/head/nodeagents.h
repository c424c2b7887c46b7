#pragma once

#include "agent/logplaces.h"
#include "agent/nodelogs.h"
#include "run/runrecord.h"
#include "run/samples/samplewish.h"

#include <QObject>
#include <QStringList>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace rankdeck
{

/// The agents of one attempt of a run, one a node, and what they all must have done before the first process
/// is started: where the launch is for named nodes, each tells what planning depends on there, then makes its
/// files, and only when all have done so are they all told to start.
class NodeAgents : public QObject
{
    Q_OBJECT

public:
    /// @param record must live as long as this object does.
    /// @param unplaced what unplacedPlan() was for the attempt before; nothing for the first.
    NodeAgents(const RunRecord &record, QString runDirectory, std::optional<LaunchPlan> unplaced = {},
               QObject *parent = nullptr);

    /// Reach every node. `attempt` counts from 0.
    void start(int attempt);
    /// An order for all of them: those that are not there yet get it when they are, and start nothing.
    void orderAll(AgentOrder::Kind end);
    void endProcesses(const QList<int> &processes, bool kill);
    /// The stacks of these; dumpSignal: AgentOrder::dumpSignal. Their agents answer with events.
    void dumpStacks(const QList<int> &processes, int dumpSignal);
    /// Their agents answer with events SignalSent.
    void sendSignal(const QList<int> &processes, int number);
    /// Start a tool where the process is that it looks at; `index` is its own.
    void attachTool(int index, int process, const ProcessPlan &tool);
    /// Into terminals of processes that run.
    void type(const TerminalInput &input);
    /// The logs of these processes are what is looked at; see RunClient::show().
    void showLogs(const QList<int> &processes);
    /// Sample all nodes as this wants it, every so often; 0: not at all. The agents answer with samples.
    void sample(const SampleWish &wish, std::chrono::milliseconds interval);
    /// The nodes whose agents somebody had stopped (SIGSTOP); they go on.
    QStringList continueStopped();
    /// An agent that has not ended.
    bool hasOpen() const { return !m_open.empty(); }
    /// Of named nodes: the plan with paths below runDirectoryPlaceholder.
    const std::optional<LaunchPlan> &unplacedPlan() const { return m_unplaced; }

Q_SIGNALS:
    void agentStarted(const QString &node, qint64 pid);
    /// Of named nodes, before the start: the plan as the nodes have prepared it, with their file names.
    void planned(const rankdeck::LaunchPlan &plan);
    /// `node` cannot start its share; none is started.
    void notPrepared(const QString &node, const rankdeck::Error &problem);
    void happened(const rankdeck::RunEvent &event);
    /// Of a node, with indices of the plan.
    void sampled(const rankdeck::NodeSample &sample);
    /// A sentence for the journal.
    void noted(const QString &text);
    /// The stream to a node has broken; it is tried again, and back.
    void linkLost(const QString &node, const QString &how, const QDateTime &since);
    void linkBack(const QString &node);
    /// An agent has ended before it was done.
    void lost(const QString &node, const QString &how, const QDateTime &since);
    /// An agent has ended, either way.
    void ended();

private:
    /// What is known of one node.
    struct Node {
        PlannedNode planned;
        std::unique_ptr<AgentLink> link;
        QString rejoinId; ///< Empty: there is no way back to its agent.
        std::optional<HostFacts> facts;
        std::optional<PreparedNode> prepared;
        std::unique_ptr<NodeLogs> logs; ///< Of logs that are not seen from here.
        qint64 logBytesLeft = 0;        ///< Of these, still to come.
        int firstProcess = 0;           ///< Its processes stand together in the plan.
        int processCount = 0;
    };

    void add(const PlannedNode &planned);
    void greet(Node &node);
    void take(Node &node, RunEvent event);
    void takeFacts(Node &node, const HostFacts &facts);
    void takePrepared(Node &node, const PreparedNode &prepared);
    void tellHolders(const Node &node, const Holders &holders);
    void planAll();
    void prepareAll();
    void startAll();
    void makeWayBack(Node &node);
    void resume(Node &node);
    void endOf(Node &node, const QString &how, const QDateTime &since);
    void giveUp(const QString &node, const Error &problem);
    LaunchPlan shareOf(const Node &node) const;
    std::optional<LaunchPlan> placedPlan();
    void followLogs(Node &node, const LaunchPlan &attempt);
    bool isForNamedNodes() const { return !m_record.plan.transport.isEmpty(); }
    static QList<int> ownOf(const Node &node, const QList<int> &processes);
    QList<int> ownWithTools(const Node &node, const QList<int> &processes) const;
    void take(const Node &node, const NodeSample &sample);
    bool isOwn(const Node &node, int process) const;
    void orderSamples(const Node &node) const;
    void orderProcesses(const Node &node, const QList<int> &processes, bool kill) const;

    const RunRecord &m_record;
    QString m_directory;
    std::optional<LaunchPlan> m_unplaced;
    int m_attempt = 0;
    std::unique_ptr<LogPlaces> m_places; ///< While the nodes prepare.
    std::vector<std::unique_ptr<Node>> m_nodes;
    std::vector<Node *> m_open;
    std::optional<AgentOrder::Kind> m_end;
    QList<int> m_shown;
    SampleWish m_wish;
    std::chrono::milliseconds m_sampleInterval{0}; ///< 0: no samples are wanted.
    QMap<int, QString> m_tools;                    ///< The node of each, by its index.
    struct EndRequest {
        QList<int> processes;
        bool kill;
    };
    std::vector<EndRequest> m_endRequests;
    QList<int> m_unwanted; ///< Processes that are to be killed as soon as they are started.
    bool m_started = false;
    bool m_gaveUp = false;
};

} // namespace rankdeck

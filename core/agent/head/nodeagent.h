#pragma once

#include "agent/head/nodelogs.h"
#include "run/record/runrecord.h"

namespace rankdeck
{

/// One node of an attempt: its agent, and its share of the plan, processes that stand together there. An
/// agent numbers processes within the share.
struct NodeAgent {
    PlannedNode planned;
    std::unique_ptr<AgentLink> link;
    QString rejoinId; ///< Empty: its agent cannot be reached again.
    std::optional<HostFacts> facts;
    std::optional<PreparedNode> prepared;
    std::unique_ptr<NodeLogs> logs; ///< Copies of logs that are not visible from here.
    qint64 logBytesLeft = 0;        ///< Bytes of these that are still to come.
    int firstProcess = 0;
    int processCount = 0;
    bool seesRunDirectory = true; ///< It is the same folder there.
    QList<int> tools;             ///< Indexes of the tools that were attached on it.

    /// Returns the processes that are on this node, by index in its share, of these by index in the plan.
    QList<int> ownOf(const QList<int> &processes) const;
    /// The same with its tools among `processes`, which keep their index.
    QList<int> ownWithTools(const QList<int> &processes) const;
    /// Returns true if `process` is an index in this node's share, and its process is on this node.
    bool isOwn(int process, const LaunchPlan &plan) const;
    /// Returns the sample with indexes of the plan, without the processes of other nodes.
    NodeSample ownSample(const NodeSample &sample, const LaunchPlan &plan) const;
    /// Takes the share that `plan` has for this node.
    void takeShare(const LaunchPlan &plan, const PlannedNode &node);
    /// Sets in `plan` where the files of its processes are read here. Fails if the node names another place.
    /// @param attempt the plan as it is started.
    std::optional<Error> place(LaunchPlan &plan, const LaunchPlan &attempt, LogPlaces &places) const;
    /// Makes `logs`, if some logs are not visible from here. Returns false if all are.
    bool copyLogs(const LaunchPlan &attempt, const LogPlaces &places, bool followAll);

    events::AgentStarted started() const { return {link->localPid(), link->transport().program(), rejoinId}; }
    /// Lets the link be opened again, if the agent's program is known.
    void makeWayBack(TransportKind kind, const NodeOptions &options) const;
    void orderSamples(const SampleWish &wish, std::chrono::milliseconds interval) const;
    /// Ends those of the processes that are on this node.
    void orderEnd(const QList<int> &processes, bool kill) const;
    /// Starts a tool if `process` is on this node.
    void attachTool(int index, int process, const ProcessPlan &tool);
    void nameRank(int index, const ProcessPlan &found, qint64 pid);
    /// Types into terminals of processes and tools that are on this node.
    void type(const TerminalInput &input) const;
    /// Keeps a piece of a dump that was asked for, if it is not in the same folder anyway. Pieces come in
    /// order.
    /// @param folder empty: none was asked for.
    void keepDump(const QByteArray &piece, const QString &folder) const;
};

/// Prepares the nodes of a launch for named nodes before the first process is started: each node reports the
/// facts that planning needs, then makes its files, and only when all have done so may they start.
class LaunchPreparation : public QObject
{
    Q_OBJECT

public:
    using Agents = std::vector<std::unique_ptr<NodeAgent>>;

    /// @param record, agents must live as long as this object does.
    /// @param unplaced what unplacedPlan() was for the attempt before; nothing for the first.
    LaunchPreparation(const RunRecord &record, const Agents &agents, QString runDirectory,
                      std::optional<LaunchPlan> unplaced);

    /// @param attempt counts from 0.
    void begin(int attempt) { m_attempt = attempt; }
    void takeFacts(NodeAgent &node, const HostFacts &facts);
    void takePrepared(NodeAgent &node, const PreparedNode &prepared);
    /// Nothing is to be started any more.
    void cancel() { m_isOver = true; }
    /// The plan before node paths are filled in.
    const std::optional<LaunchPlan> &unplacedPlan() const { return m_unplaced; }
    /// Where the logs are read here. Only while done() is emitted.
    const LogPlaces &places() const { return *m_places; }

Q_SIGNALS:
    /// All may start. The plan has the places where all files are read here.
    void done(const rankdeck::LaunchPlan &plan);
    /// `node` cannot start its share, or the launch cannot be planned: none may start.
    void refused(const QString &node, const rankdeck::Error &problem);

private:
    Result<LaunchPlan> makePlan() const;
    void prepareAll();
    void placeAll();

    const RunRecord &m_record;
    const Agents &m_agents;
    QString m_directory;
    std::optional<LaunchPlan> m_unplaced;
    int m_attempt = 0;
    std::unique_ptr<LogPlaces> m_places; ///< While the nodes prepare.
    bool m_isOver = false;
};

} // namespace rankdeck

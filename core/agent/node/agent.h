#pragma once

#include "agent/channel/headchannel.h"
#include "agent/node/nodedumps.h"
#include "agent/node/nodepreflight.h"
#include "agent/node/nodepreparation.h"
#include "agent/node/nodesampler.h"
#include "agent/node/promptwatch.h"
#include "base/oneshottimer.h"
#include "diagnosis/failure/outofmemory.h"
#include "launch/host/portlocks.h"
#include "run/mirror/logsender.h"
#include "run/process/unixsignals.h"
#include "run/record/runkeeper.h"
#include "run/workers/noderun.h"
#include "run/workers/toolgroup.h"

namespace rankdeck
{

/// `rankdeckctl agent`: one node's share of a plan behind standard input and output. When the supervisor goes
/// away or falls silent it tears its workers down; it ends once nothing of the run is alive on its node.
class Agent : public QObject
{
    Q_OBJECT

public:
    /// @param isRemote the head is on another node: its silence may mean that it is gone.
    explicit Agent(bool isRemote);

    /// Sends the magic line and accepts orders.
    void start() { m_head.start(); }

Q_SIGNALS:
    /// The agent has nothing left to do.
    void finished();

private:
    struct Handler;

    void carryOut(const QByteArray &line);
    void prepare(const orders::Prepare &order);
    void startPrepared();
    void startNode(const LaunchPlan &plan, const QString &node);
    /// Tells of the disks of these folders while something of the run is alive here.
    void watchDisks(const QStringList &folders);
    void startAgain(const QList<int> &processes);
    void endProcesses(const QList<int> &processes, bool kill);
    void attachTool(const orders::AttachTool &order);
    void nameRank(const orders::NameRank &order);
    void sample(const orders::Sample &order);
    /// Ends attached tools after the workers have ended.
    void endTools();
    void takeWish(const QByteArray &line);
    /// Nothing of the run is alive here. Logs that the head wants are still sent.
    void finishLogs();
    /// Finishes once the head has all that it wants, or is gone.
    void finishIfDone();
    void finish();
    void end(NodeEnd how);
    void takeSignal(int number);
    /// Tells the head what happened, a moment later where this node may be about to be ended.
    void tellInTurn(const RunEvent &event);
    void tellHeldBack();

    void reservePorts(const LaunchPlan &plan);

    HeadChannel m_head;
    UnixSignals m_signals;
    std::unique_ptr<NodePreparation> m_preparation;
    PortLocks m_ports; ///< The ports of this node's share, reserved until this process exits.
    std::unique_ptr<NodeRun> m_node;
    std::unique_ptr<PromptWatch> m_prompts; ///< Set if ranks have terminals.
    std::unique_ptr<OutOfMemory> m_outOfMemory;
    NodeDumps m_dumps;
    NodePreflight m_preflight;
    std::unique_ptr<ToolGroup> m_tools; ///< Set once a client has attached a tool.
    QList<RunEvent> m_heldBack;         ///< In their order.
    OneShotTimer m_holdBack{500};       ///< Slurm and a shutdown signal ranks and their agent one after the
                                        ///< other: so soon the agent's turn comes.
    std::unique_ptr<DiskWatch> m_disks; ///< Set if logs are where the head does not see them.
    QTimer m_diskLook;
    std::unique_ptr<NodeSampler> m_sampler; ///< Set once a client has asked for samples.
    orders::Sample m_sampling;              ///< Which samples the head asked for last.
    QStringList m_logPaths;                 ///< The head names a log by its index here.
    std::unique_ptr<LogSender>
        m_logs;                ///< Set once the head has said from which byte of each log it reads on.
    bool m_sendsLogs = false;  ///< The head has asked for logs.
    bool m_copiesLogs = false; ///< The head copies logs: it says which parts it wants, and when it has all.
    bool m_endsProcesses = false; ///< The head has asked to end processes: SIGKILL may come from this agent.
    bool m_isOver = false;        ///< Nothing of the run is alive.
};

} // namespace rankdeck

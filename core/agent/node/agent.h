#pragma once

#include "agent/channel/headchannel.h"
#include "agent/node/nodedumps.h"
#include "agent/node/nodepreflight.h"
#include "agent/node/nodepreparation.h"
#include "agent/node/nodesampler.h"
#include "agent/node/promptwatch.h"
#include "diagnosis/failure/outofmemory.h"
#include "launch/host/portlocks.h"
#include "run/mirror/logsender.h"
#include "run/process/unixsignals.h"
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
    explicit Agent(bool isRemote, QObject *parent = nullptr);

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

    void reservePorts(const LaunchPlan &plan);

    HeadChannel m_head;
    UnixSignals m_signals;
    std::unique_ptr<NodePreparation> m_preparation;
    PortLocks m_ports; ///< Of the run's share, to the end of this process.
    std::unique_ptr<NodeRun> m_node;
    std::unique_ptr<PromptWatch> m_prompts; ///< Where ranks have terminals.
    std::unique_ptr<OutOfMemory> m_outOfMemory;
    NodeDumps m_dumps;
    NodePreflight m_preflight;
    std::unique_ptr<ToolGroup> m_tools;     ///< Once somebody has attached one.
    std::unique_ptr<NodeSampler> m_sampler; ///< Once somebody has wanted samples.
    orders::Sample m_sampling;              ///< What is wanted of them.
    QStringList m_logPaths;                 ///< That the head numbers them by.
    std::unique_ptr<LogSender> m_logs;      ///< Once the head wants some, and has said from where.
    bool m_sendsLogs = false;               ///< The head has wanted some.
    bool m_copiesLogs = false;              ///< It will say what it wants of them, and when that is all.
    bool m_endsProcesses = false;           ///< It was asked to, so SIGKILL may be its own.
    bool m_isOver = false;                  ///< Nothing of the run is alive.
};

} // namespace rankdeck

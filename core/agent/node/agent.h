#pragma once

#include "agent/channel/agentprotocol.h"
#include "agent/channel/headchannel.h"
#include "agent/nodepreparation.h"
#include "agent/preflight/nodecheck.h"
#include "agent/promptwatch.h"
#include "agent/sampling/nodesampler.h"
#include "agent/selftestranks.h"
#include "agent/stacks/stackdumper.h"
#include "diagnosis/outofmemory.h"
#include "run/logsender.h"
#include "run/noderun.h"
#include "run/toolgroup.h"
#include "run/unixsignals.h"

#include <QObject>

#include <memory>

namespace rankdeck
{

/// `rankdeckctl agent`: one node's share of a plan behind standard input and output. When the supervisor goes
/// away or falls silent it tears its workers down; it ends once nothing of the run is alive on its node.
class Agent : public QObject
{
    Q_OBJECT

public:
    explicit Agent(QObject *parent = nullptr);

    /// Say the magic line and take orders.
    void start();

Q_SIGNALS:
    /// Nothing is left to do.
    void finished();

private:
    void carryOut(const QByteArray &line);
    void prepare(const AgentOrder &order);
    void startPrepared();
    void endHolders(const AgentOrder &order);
    void startNode(const LaunchPlan &plan, const QString &node);
    void dumpStacks(const AgentOrder &order);
    void sendSignal(const AgentOrder &order);
    void attachTool(const AgentOrder &order);
    void sample(const AgentOrder &order);
    void checkNode(const AgentOrder &order);
    void startSelfTest(const AgentOrder &order);
    /// The workers have ended; what looks at them does then too.
    void endTools();
    void takeWish(const QByteArray &line);
    /// Nothing of the run is alive here: what the head wants of the logs is sent yet.
    void finishLogs();
    /// Once the head has all that it wants, or is gone.
    void finishIfDone();
    void finish();
    void end(NodeEnd how);

    HeadChannel m_head;
    UnixSignals m_signals;
    std::unique_ptr<NodePreparation> m_preparation;
    std::unique_ptr<NodeRun> m_node;
    std::unique_ptr<PromptWatch> m_prompts; ///< Where ranks have terminals.
    std::unique_ptr<OutOfMemory> m_outOfMemory;
    std::unique_ptr<StackDumper> m_stacks;  ///< Once somebody has asked for some.
    std::unique_ptr<ToolGroup> m_tools;     ///< Once somebody has attached one.
    std::unique_ptr<NodeSampler> m_sampler; ///< Once somebody has wanted samples.
    AgentOrder m_sampling;                  ///< What is wanted of them.
    std::unique_ptr<NodeCheck> m_check;     ///< Of a preflight, which starts nothing of a launch.
    std::unique_ptr<SelfTestRanks> m_selfTest;
    QStringList m_logPaths;            ///< That the head numbers them by.
    std::unique_ptr<LogSender> m_logs; ///< Once the head wants some, and has said from where.
    bool m_sendsLogs = false;          ///< The head has wanted some.
    bool m_copiesLogs = false;         ///< It will say what it wants of them, and when that is all.
    bool m_endsProcesses = false;      ///< It was asked to, so SIGKILL may be its own.
    bool m_isOver = false;             ///< Nothing of the run is alive.
};

} // namespace rankdeck

#include "agent/agent.h"

#include "agent/nodedescription.h"
#include "launch/hooks.h"
#include "run/processtree.h"

#include <csignal>

#include <unistd.h>

namespace rankdeck
{

Agent::Agent(QObject *parent)
    : QObject(parent)
    , m_channel(STDIN_FILENO, STDOUT_FILENO)
    , m_signals({SIGCHLD, SIGTERM, SIGINT})
{
    becomeSubreaper();
    qunsetenv(hookVariable); // A run that a hook launches is none of that hook's leftovers.
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    m_heartbeat.setInterval(heartbeatInterval);
    m_silence.setInterval(silenceLimit);
    m_silence.setSingleShot(true);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] { m_channel.send(heartbeatLine); });
    connect(&m_silence, &QTimer::timeout, this, [this] { end(NodeEnd::Abandon); });
    connect(&m_channel, &LineChannel::received, this, &Agent::carryOut);
    connect(&m_channel, &LineChannel::closed, this, [this] { end(NodeEnd::Abandon); });
    connect(&m_signals, &UnixSignals::received, this, [this](int number) {
        if (number != SIGCHLD)
            end(NodeEnd::Stop);
        else if (m_node)
            m_node->childEnded();
    });
}

void Agent::start()
{
    m_channel.send(agentMagic);
    m_heartbeat.start();
    m_silence.start();
}

void Agent::carryOut(const QByteArray &line)
{
    m_silence.start();
    const auto order = AgentOrder::fromLine(line);
    if (!order)
        return;
    switch (order->kind) {
    case AgentOrder::Kind::Heartbeat:
        break;
    case AgentOrder::Kind::Describe:
        m_channel.send(NodeDescription::ofThisNode().toLine());
        break;
    case AgentOrder::Kind::Start:
        startNode(*order);
        break;
    case AgentOrder::Kind::TearDown:
        end(NodeEnd::TearDown);
        break;
    case AgentOrder::Kind::Stop:
        end(NodeEnd::Stop);
        break;
    case AgentOrder::Kind::Kill:
        end(NodeEnd::Kill);
        break;
    case AgentOrder::Kind::StopProcesses:
    case AgentOrder::Kind::KillProcesses:
        if (m_node)
            m_node->endProcesses(order->processes, order->kind == AgentOrder::Kind::KillProcesses);
        break;
    }
}

void Agent::startNode(const AgentOrder &order)
{
    if (m_node)
        return;
    m_node = std::make_unique<NodeRun>(order.plan, order.node);
    connect(m_node.get(), &NodeRun::happened, this,
            [this](const RunEvent &event) { m_channel.send(event.toLine()); });
    connect(m_node.get(), &NodeRun::done, this, [this] {
        m_channel.flush();
        Q_EMIT finished();
    });
    m_node->start();
}

void Agent::end(NodeEnd how)
{
    if (m_node) {
        m_node->end(how);
        return;
    }
    m_channel.send(RunEvent::now(RunEvent::Kind::NodeDone).toLine());
    m_channel.flush();
    Q_EMIT finished();
}

} // namespace rankdeck

#include "agent/agent.h"

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
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    m_heartbeat.setInterval(heartbeatInterval);
    m_silence.setInterval(silenceLimit);
    m_silence.setSingleShot(true);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] { m_channel.send(heartbeatLine); });
    connect(&m_silence, &QTimer::timeout, this, &Agent::tearDown);
    connect(&m_channel, &LineChannel::received, this, &Agent::carryOut);
    connect(&m_channel, &LineChannel::closed, this, &Agent::tearDown);
    connect(&m_signals, &UnixSignals::received, this, [this](int number) {
        if (number != SIGCHLD)
            tearDown();
        else if (m_workers)
            m_workers->childEnded();
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
    case AgentOrder::Kind::Start:
        startWorkers(*order);
        break;
    case AgentOrder::Kind::TearDown:
        tearDown();
        break;
    case AgentOrder::Kind::Kill:
        if (m_workers)
            m_workers->kill();
        else
            Q_EMIT finished();
        break;
    }
}

void Agent::startWorkers(const AgentOrder &order)
{
    if (m_workers)
        return;
    m_workers = std::make_unique<WorkerGroup>(order.plan, order.node);
    connect(m_workers.get(), &WorkerGroup::happened, this,
            [this](const RunEvent &event) { m_channel.send(event.toLine()); });
    connect(m_workers.get(), &WorkerGroup::done, this, [this] {
        m_channel.flush();
        Q_EMIT finished();
    });
    m_workers->start();
}

void Agent::tearDown()
{
    if (m_workers)
        m_workers->tearDown();
    else
        Q_EMIT finished();
}

} // namespace rankdeck

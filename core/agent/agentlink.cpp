#include "agent/agentlink.h"

namespace rankdeck
{

namespace
{

/// An agent's line is an event; a longer one is not ours.
constexpr qsizetype maxLineBytes = 1024 * 1024;

} // namespace

AgentLink::AgentLink(std::unique_ptr<AgentTransport> transport, QString node, QObject *parent)
    : QObject(parent)
    , m_transport(std::move(transport))
    , m_node(std::move(node))
    , m_lines(maxLineBytes)
{
    m_heartbeat.setInterval(heartbeatInterval);
    m_silence.setInterval(silenceLimit);
    m_silence.setSingleShot(true);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] { order({}); });
    connect(&m_silence, &QTimer::timeout, this, &AgentLink::abort);
    connect(m_transport.get(), &AgentTransport::received, this, &AgentLink::read);
    connect(m_transport.get(), &AgentTransport::ended, this, [this](const QString &how) {
        m_heartbeat.stop();
        m_silence.stop();
        Q_EMIT ended(how);
    });
}

void AgentLink::start()
{
    m_silence.start();
    m_transport->start();
}

void AgentLink::order(const AgentOrder &order)
{
    m_transport->write(order.toLine() + '\n');
}

void AgentLink::read(const QByteArray &bytes)
{
    m_silence.start();
    m_lines.add(bytes);
    while (const auto line = m_lines.take())
        take(*line);
    if (m_lines.isOverlong())
        abort();
}

void AgentLink::take(const QByteArray &line)
{
    if (!m_ready) {
        // Anything before the magic line is a login shell's chatter.
        m_ready = line == agentMagic;
        if (m_ready) {
            m_heartbeat.start();
            Q_EMIT ready();
        }
        return;
    }
    if (const auto event = RunEvent::fromLine(line)) {
        m_done = m_done || event->kind == RunEvent::Kind::NodeDone;
        Q_EMIT happened(*event);
    } else if (const auto description = NodeDescription::fromLine(line)) {
        Q_EMIT described(*description);
    }
}

} // namespace rankdeck

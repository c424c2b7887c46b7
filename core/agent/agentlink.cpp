#include "agent/agentlink.h"

#include "run/logtalk.h"

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
    , m_stream(maxLineBytes)
{
    m_heartbeat.setInterval(heartbeatInterval);
    m_silence.setInterval(silenceLimit);
    m_silence.setSingleShot(true);
    connect(&m_heartbeat, &QTimer::timeout, this, [this] { order({}); });
    connect(&m_silence, &QTimer::timeout, this, [this] {
        m_isSilent = true;
        abort();
    });
    connect(m_transport.get(), &AgentTransport::received, this, &AgentLink::read);
    connect(m_transport.get(), &AgentTransport::ended, this, [this](const QString &how) {
        m_heartbeat.stop();
        m_silence.stop();
        if (m_isSilent)
            Q_EMIT ended(tr("it was silent for %1 s").arg(m_silence.interval() / 1000), m_heard);
        else
            Q_EMIT ended(how, QDateTime::currentDateTimeUtc());
    });
}

void AgentLink::start()
{
    m_silence.start();
    m_heard = QDateTime::currentDateTimeUtc();
    m_transport->start();
}

void AgentLink::order(const AgentOrder &order)
{
    m_transport->write(order.toLine() + '\n');
}

void AgentLink::read(const QByteArray &bytes)
{
    m_silence.start();
    m_heard = QDateTime::currentDateTimeUtc();
    m_stream.add(bytes);
    while (const auto item = m_stream.take()) {
        const Frame *frame = std::get_if<Frame>(&*item);
        if (!frame)
            take(std::get<QByteArray>(*item));
        else if (frame->channel == logChannel)
            Q_EMIT logChunk(frame->bytes);
    }
    if (m_stream.isUnusable())
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
    if (m_clock.note(line))
        return;
    if (isLogLine(line)) {
        Q_EMIT logNews(line);
        return;
    }
    if (const auto event = RunEvent::fromLine(line)) {
        m_done = m_done || event->kind == RunEvent::Kind::NodeDone;
        Q_EMIT happened(m_mapsClock ? m_clock.mapped(*event) : *event);
    } else if (const auto description = NodeDescription::fromLine(line)) {
        Q_EMIT described(*description);
    } else if (const auto facts = GatheredFacts::fromLine(line)) {
        Q_EMIT gathered(*facts);
    } else if (const auto node = PreparedNode::fromLine(line)) {
        Q_EMIT prepared(*node);
    } else if (const auto holders = Holders::fromLine(line)) {
        Q_EMIT held(*holders);
    }
}

} // namespace rankdeck

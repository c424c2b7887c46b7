#include "agent/head/agentlink.h"

#include "agent/channel/agentprotocol.h"
#include "agent/channel/eventbacklog.h"
#include "run/mirror/logtalk.h"

namespace rankdeck
{

/// A longer line is not from an agent.
constexpr qsizetype maxLineBytes = 1024 * 1024;

AgentLink::AgentLink(std::unique_ptr<AgentTransport> transport, QString node)
    : m_transport(std::move(transport))
    , m_node(std::move(node))
    , m_stream(maxLineBytes)
{
    m_heartbeat.setInterval(heartbeatInterval);
    setSilenceLimit(silenceLimit);
    connect(&m_heartbeat, &QTimer::timeout, this, &AgentLink::acknowledge);
    connect(&m_silence, &Silence::reached, this, [this] {
        m_isAsked = true;
        m_asksAboutSilence ? Q_EMIT silent() : endSilence();
    });
    connect(&m_nextTry, &QTimer::timeout, this, &AgentLink::tryAgain);
    connectTransport();
}

AgentLink::~AgentLink()
{
    // Signals of the ending transport must not reach a half destroyed object.
    m_transport->disconnect(this);
}

void AgentLink::connectTransport()
{
    connect(m_transport.get(), &AgentTransport::received, this, &AgentLink::read);
    connect(m_transport.get(), &AgentTransport::ended, this, &AgentLink::transportEnded);
}

void AgentLink::setSilenceLimit(std::chrono::milliseconds limit)
{
    m_silence.setLimit(m_transport->mayFallSilent() ? limit : std::chrono::milliseconds(0));
}

void AgentLink::start()
{
    m_silence.start();
    m_heard = QDateTime::currentDateTimeUtc();
    m_transport->start();
}

void AgentLink::abort()
{
    m_isAborted = true;
    if (m_nextTry.isActive())
        end();
    else
        m_transport->abort();
}

void AgentLink::bearSilence()
{
    if (!std::exchange(m_isAsked, false))
        return;
    m_isSilenceBorne = true;
    m_silence.start();
}

void AgentLink::endSilence()
{
    if (!std::exchange(m_isAsked, false))
        return;
    m_isSilent = true;
    abort();
}

void AgentLink::hear()
{
    m_silence.start();
    m_heard = QDateTime::currentDateTimeUtc();
    m_isAsked = false;
    if (std::exchange(m_isSilenceBorne, false))
        Q_EMIT heardAgain();
}

void AgentLink::send(const QByteArray &line)
{
    if (!m_isCut)
        m_transport->write(line + '\n');
}

void AgentLink::transportEnded(const Sentence &how)
{
    m_heartbeat.stop();
    if (!m_isCut) {
        m_how = how;
        m_since = QDateTime::currentDateTimeUtc();
    }
    // Without an event, nothing has begun there that would be worth waiting for.
    const bool mayBeThere = m_wayBack && m_lastEvent > 0 && !m_isAborted && !m_isGone &&
                            (m_isCut || m_transport->mayHaveLeftAgent());
    if (!mayBeThere) {
        end();
        return;
    }
    m_nextTry.start(m_isCut ? betweenTries : std::chrono::milliseconds(0));
    if (!std::exchange(m_isCut, true))
        Q_EMIT interrupted(m_how, m_since);
}

void AgentLink::tryAgain()
{
    m_transport.release()->deleteLater();
    m_transport = m_wayBack();
    m_stream = FrameDecoder(maxLineBytes);
    connectTransport();
    m_transport->start();
}

void AgentLink::end()
{
    m_nextTry.stop();
    m_silence.stop();
    if (m_isSilent)
        Q_EMIT ended(Sentence::tr("no answer for %1 s").arg(m_silence.limit().count() / 1000), m_heard);
    else
        Q_EMIT ended(m_how, m_since);
}

void AgentLink::read(const QByteArray &bytes)
{
    if (!m_isCut)
        hear();
    m_stream.add(bytes);
    while (const auto item = m_stream.take()) {
        const Frame *frame = std::get_if<Frame>(&*item);
        if (!frame)
            take(std::get<QByteArray>(*item));
        else if (frame->channel == logChannel && !m_isCut)
            Q_EMIT logChunk(frame->bytes);
        else if (frame->channel == dumpChannel)
            Q_EMIT dumpPiece(frame->bytes);
    }
    if (m_stream.isUnusable())
        abort();
}

/// Anything before the magic line is a login shell's chatter.
void AgentLink::greet(const QByteArray &line)
{
    m_isGone = m_isGone || (m_isCut && line == noAgentLine);
    if (line != agentMagic)
        return;
    m_heartbeat.start();
    if (!std::exchange(m_isCut, false)) {
        m_ready = true;
        Q_EMIT ready();
        return;
    }
    hear();
    order(orders::Rejoin{m_lastEvent});
    Q_EMIT rejoined();
}

void AgentLink::takeEvent(const QByteArray &line, const RunEvent &event)
{
    // An event that is sent again may have arrived the first time.
    if (const auto number = EventBacklog::numberIn(line)) {
        if (*number <= m_lastEvent)
            return;
        m_lastEvent = *number;
    }
    if (event.is<events::NodeDone>()) {
        m_done = true;
        if (m_lastEvent > 0)
            acknowledge(); // It waits for that.
    }
    Q_EMIT happened(m_mapsClock ? m_clock.mapped(event) : event);
}

void AgentLink::take(const QByteArray &line)
{
    if (!m_ready || m_isCut) {
        greet(line);
        return;
    }
    if (m_clock.note(line))
        return;
    if (isLogLine(line)) {
        Q_EMIT logNews(line);
        return;
    }
    if (const auto sample = NodeSample::fromLine(line)) {
        Q_EMIT sampled(m_mapsClock ? m_sampleClock.mapped(*sample, QDateTime::currentDateTimeUtc())
                                   : *sample);
        return;
    }
    if (const auto rank = RankLine::fromLine(line)) { // Thousands of them come.
        Q_EMIT rankSaid(*rank);
    } else if (const auto event = RunEvent::fromLine(line)) {
        takeEvent(line, *event);
    } else if (const auto description = NodeDescription::fromLine(line)) {
        Q_EMIT described(*description);
    } else if (const auto facts = GatheredFacts::fromLine(line)) {
        Q_EMIT gathered(*facts);
    } else if (const auto node = PreparedNode::fromLine(line)) {
        Q_EMIT prepared(*node);
    } else if (const auto holders = Holders::fromLine(line)) {
        Q_EMIT held(*holders);
    } else if (const auto answer = NodeAnswer::fromLine(line)) {
        Q_EMIT answered(*answer);
    }
}

} // namespace rankdeck

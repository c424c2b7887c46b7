#include "agent/head/goodbye.h"

#include "agent/channel/agentorders.h"
#include "agent/channel/agentprotocol.h"

#include <QTimer>

namespace rankdeck
{

Goodbye::Goodbye(std::function<std::unique_ptr<AgentTransport>()> makeStream)
    : m_makeStream(std::move(makeStream))
{
}

Goodbye::~Goodbye()
{
    if (m_transport)
        m_transport->disconnect(this);
}

void Goodbye::start()
{
    if (m_transport)
        m_transport.release()->deleteLater(); // It may be the sender of the present signal.
    m_transport = m_makeStream();
    m_unread.clear();
    m_isSaid = false;
    connect(m_transport.get(), &AgentTransport::received, this, &Goodbye::read);
    connect(m_transport.get(), &AgentTransport::ended, this, &Goodbye::takeEnd);
    m_transport->start();
}

void Goodbye::read(const QByteArray &bytes)
{
    if (m_isSaid)
        return;
    m_unread += bytes;
    // Anything before is a login shell's chatter.
    for (qsizetype end = 0; !m_isSaid && (end = m_unread.indexOf('\n')) >= 0; m_unread.remove(0, end + 1)) {
        const QByteArrayView line = QByteArrayView(m_unread).first(end);
        m_isGone = m_isGone || line == noAgentLine;
        m_isSaid = line == agentMagic;
    }
    if (m_isSaid)
        m_transport->write(orderLine(orders::Goodbye()) + '\n');
}

void Goodbye::takeEnd()
{
    m_isGone = m_isGone || m_isSaid;
    if (m_isGone)
        Q_EMIT done();
    else
        QTimer::singleShot(betweenTries, this, &Goodbye::start);
}

} // namespace rankdeck

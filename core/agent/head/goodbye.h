#pragma once

#include "agent/transport/agenttransport.h"

#include <functional>

namespace rankdeck
{

/// Says goodbye to an agent of another node for a head that has died, and waits until that agent has ended. A
/// stream that cannot be made is tried again.
class Goodbye : public QObject
{
    Q_OBJECT

public:
    /// @param makeStream to the agent that waits; see makeRejoinTransport().
    explicit Goodbye(std::function<std::unique_ptr<AgentTransport>()> makeStream);
    ~Goodbye() override;

    void start();
    bool isDone() const { return m_isGone; }

Q_SIGNALS:
    /// The agent has ended. Emitted once.
    void done();

private:
    void read(const QByteArray &bytes);
    void takeEnd();

    std::function<std::unique_ptr<AgentTransport>()> m_makeStream;
    std::unique_ptr<AgentTransport> m_transport;
    QByteArray m_unread;   ///< The begun line.
    bool m_isSaid = false; ///< Over the present stream.
    bool m_isGone = false; ///< No agent waits there any more.
};

} // namespace rankdeck

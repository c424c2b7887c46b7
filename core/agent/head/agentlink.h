#pragma once

#include "agent/channel/agentorders.h"
#include "agent/channel/clocks.h"
#include "agent/channel/frames.h"
#include "agent/channel/linechannel.h"
#include "agent/messages/nodereplies.h"
#include "agent/preflight/holders.h"
#include "agent/transport/agenttransport.h"
#include "base/oneshottimer.h"
#include "run/process/processtree.h"

namespace rankdeck
{

/// The supervisor's end of one agent: greets it, hands it orders, and notices when it falls silent. When the
/// stream ends and the agent may live on, it is tried again until the agent has been silent for too long.
class AgentLink : public QObject
{
    Q_OBJECT

public:
    AgentLink(std::unique_ptr<AgentTransport> transport, QString node);
    ~AgentLink() override;
    /// Sets how to reconnect to the same agent; without it, the end of the stream is final.
    void setWayBack(std::function<std::unique_ptr<AgentTransport>()> make) { m_wayBack = std::move(make); }

    void start();
    /// Sends an order. It is lost while the stream is cut.
    void order(const AgentOrder &order) { send(orderLine(order)); }
    /// A LogWish.
    void wish(const QByteArray &line) { send(line); }
    void abort();
    /// Continues the agent, or the program that carries its stream, if it was stopped (SIGSTOP). Returns
    /// false if it was not.
    bool continueIfStopped()
    {
        return localPid() > 0 && rankdeck::continueIfStopped(static_cast<pid_t>(localPid()));
    }
    /// Sets the silence after which an agent of another node is lost. That of this node has no limit.
    void setSilenceLimit(std::chrono::milliseconds limit);
    /// From now on silent() is emitted at that limit, and whoever hears it says whether the agent is lost.
    void askAboutSilence() { m_asksAboutSilence = true; }
    /// Answers silent(): waits as long again, or gives the agent up. Unless it has spoken meanwhile.
    void bearSilence();
    void endSilence();
    /// Maps the times of events and samples, which are by the node's clocks, to this machine's clocks.
    void mapClock() { m_mapsClock = true; }
    const QString &node() const { return m_node; }
    const AgentTransport &transport() const { return *m_transport; }
    qint64 localPid() const { return m_transport->localPid(); }
    /// Returns true once the agent has sent its first line.
    bool isReady() const { return m_ready; }
    /// Returns true once the node has reported that nothing of the run is alive there.
    bool isDone() const { return m_done; }

Q_SIGNALS:
    /// The agent has said its first line and takes orders.
    void ready();
    void happened(const rankdeck::RunEvent &event);
    void sampled(const rankdeck::NodeSample &sample);
    /// A LogNews, and a LogChunk.
    void logNews(const QByteArray &line);
    void logChunk(const QByteArray &bytes);
    /// A DumpPiece.
    void dumpPiece(const QByteArray &bytes);
    /// The answers to orders::Describe, Gather and Prepare.
    void described(const rankdeck::NodeDescription &node);
    void gathered(const rankdeck::GatheredFacts &facts);
    void prepared(const rankdeck::PreparedNode &node);
    /// The answer to FindHolders and EndHolders; also sent before prepared() if there are holders.
    void held(const rankdeck::Holders &holders);
    /// The answers to orders::CheckNode, and of StartSelfTest's ranks.
    void answered(const rankdeck::NodeAnswer &answer);
    void rankSaid(const rankdeck::RankLine &line);
    /// The stream is cut since then and tried again; it is back, without what was sent meanwhile.
    void interrupted(const rankdeck::Sentence &how, const QDateTime &since);
    void rejoined();
    /// The agent has been silent for the limit; and it has spoken after such a silence.
    void silent();
    void heardAgain();
    /// The stream ended for good, after done or before; `how` is a sentence. The agent has been gone since
    /// then, by this machine's clock, UTC.
    void ended(const rankdeck::Sentence &how, const QDateTime &since);

private:
    void connectTransport();
    void hear();
    void send(const QByteArray &line);
    void read(const QByteArray &bytes);
    void take(const QByteArray &line);
    void greet(const QByteArray &line);
    void takeEvent(const QByteArray &line, const RunEvent &event);
    void acknowledge() { order(orders::Heartbeat{m_lastEvent}); }
    void transportEnded(const Sentence &how);
    void tryAgain();
    void end();

    std::unique_ptr<AgentTransport> m_transport;
    QString m_node;
    QTimer m_heartbeat;
    Silence m_silence;
    OneShotTimer m_nextTry;
    std::function<std::unique_ptr<AgentTransport>()> m_wayBack;
    FrameDecoder m_stream;
    ClockOffset m_clock;
    SampleClock m_sampleClock;
    QDateTime m_heard;
    bool m_mapsClock = false;
    qint64 m_lastEvent = 0; ///< The number of the last event.
    Sentence m_how;         ///< How the stream has ended.
    QDateTime m_since;
    bool m_isCut = false;
    bool m_asksAboutSilence = false;
    bool m_isAsked = false;        ///< silent() is not answered yet.
    bool m_isSilenceBorne = false; ///< It was, and the agent has not spoken since.
    bool m_isSilent = false;
    bool m_isAborted = false;
    bool m_isGone = false; ///< The node has reported that the agent has ended.
    bool m_ready = false;
    bool m_done = false;
};

} // namespace rankdeck
